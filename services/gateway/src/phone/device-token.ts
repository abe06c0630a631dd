// Finds the provider of a device token by its format. The platform does not decide, because Firebase gives tokens to
// iPhones, too.

import type { PushKind } from '@landfall/contracts';
import { TOKEN_LENGTH, text } from '@landfall/contracts';
import { sha256 } from '@landfall/http';

/** The length is in bytes: 32 today, and up to 100 that Apple may use later. */
const APNS = /^(?:[0-9a-f]{2}){32,100}$/i;
/** The characters of Firebase's tokens, and some more. Brackets, quotes and blanks belong to a value around a token. */
const SIGNED = /^[\w!#-&*-;=?@^|~]+$/;
/**
 * Firebase's tokens have letters, digits and signs. So a word is no token (`null`, `undefined`), and neither is a code
 * (`SERVICE_NOT_AVAILABLE`) nor a hexadecimal text that is too short for Apple.
 */
const NO_TOKEN = /^(?:[A-Za-z]*|[A-Z_]*|[0-9A-Fa-f]*)$/;

/** Returns the provider. Null for a value that no provider makes. */
export function kindOf(token: string): PushKind | null {
  if (APNS.test(token)) return 'apns';
  return SIGNED.test(token) && !NO_TOKEN.test(token) ? 'fcm' : null;
}

const ANY = '[\\w!#-&*-;=?@^|~]*';

/** The same formats as patterns of JSON Schema, without look-ahead. One of them must match. */
export const tokenShapes = [
  '^(?:[0-9a-fA-F]{2}){32,100}$',
  // A sign other than `_`.
  `^${ANY}[!#-&*-/:;=?@^|~]${ANY}$`,
  // `_`, and a small letter or a digit before or after it.
  `^${ANY}_${ANY}[a-z0-9]${ANY}$`,
  `^${ANY}[a-z0-9]${ANY}_${ANY}$`,
  // A digit, and a letter that is not hexadecimal before or after it.
  `^${ANY}[0-9]${ANY}[g-zG-Z]${ANY}$`,
  `^${ANY}[g-zG-Z]${ANY}[0-9]${ANY}$`,
];

/** Returns one spelling for each token. A hexadecimal token may be written in two cases. */
export const spelt = (token: string): string => (kindOf(token) === 'apns' ? token.toLowerCase() : token);

export const deviceToken = () =>
  text(TOKEN_LENGTH)
    .min(1)
    .refine((token) => kindOf(token) !== null, {
      error:
        'must be a token of Firebase (letters, digits and signs, no word, no brackets) or of APNs (64 to 200 hexadecimal digits)',
    })
    .describe('The token that Firebase or APNs gave to the app.')
    .meta({ anyOf: tokenShapes.map((pattern) => ({ pattern })) });

/** Returns the hash of a token. Only the app and its provider see the token itself. */
export const hashOfToken = (token: string): string => sha256(spelt(token));
