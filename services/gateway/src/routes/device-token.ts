// Finds the provider of a device token by its format. The platform does not decide, because Firebase gives tokens to
// iPhones, too.
import type { PushKind } from '@landfall/contracts';

const HEX = /^[0-9a-f]+$/i;
/** The length is in bytes: 32 today, and up to 100 that Apple may use later. */
const APNS = /^(?:[0-9a-f]{2}){32,100}$/i;
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Returns the provider. Null for an invalid token: Firebase's tokens have characters that are not hexadecimal. */
export function kindOf(token: string): PushKind | null {
  if (APNS.test(token)) return 'apns';
  return PRINTABLE.test(token) && !HEX.test(token) ? 'fcm' : null;
}

/** The same formats as patterns of JSON Schema. One of them must match. */
export const tokenShapes = ['^(?:[0-9a-fA-F]{2}){32,100}$', '^[\\x21-\\x7e]*[\\x21-/:-@G-`g-~][\\x21-\\x7e]*$'];

/** Returns one spelling for each token. A hexadecimal token may be written in two cases. */
export const spelt = (token: string): string => (kindOf(token) === 'apns' ? token.toLowerCase() : token);
