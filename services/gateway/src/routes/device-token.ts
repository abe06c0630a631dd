// Tokens of devices: who takes pushes for one is what it looks like, never the platform: Firebase gives tokens to iPhones, too.
import type { PushKind } from '@landfall/contracts';

const HEX = /^[0-9a-f]+$/i;
/** Bytes: 32 of today's, and 100 that Apple may make of them. */
const APNS = /^(?:[0-9a-f]{2}){32,100}$/i;
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Null for what can be neither: Firebase's tokens have more than hexadecimal digits. */
export function kindOf(token: string): PushKind | null {
  if (APNS.test(token)) return 'apns';
  return PRINTABLE.test(token) && !HEX.test(token) ? 'fcm' : null;
}

/** The same as patterns of JSON Schema, of which one must hold. */
export const tokenShapes = ['^(?:[0-9a-fA-F]{2}){32,100}$', '^[\\x21-\\x7e]*[\\x21-/:-@G-`g-~][\\x21-\\x7e]*$'];

/** One spelling for each token: what is hexadecimal may be written in two. */
export const spelt = (token: string): string => (kindOf(token) === 'apns' ? token.toLowerCase() : token);
