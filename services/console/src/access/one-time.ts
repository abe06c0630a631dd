// Generates secrets for people, and commands that use them. A secret is shown once. Only its SHA-256 is sent and stored.

import { randomBytes } from 'node:crypto';
import { sha256 } from '@landfall/http';

export interface Made {
  plaintext: string;
  hash: string;
}

const made = (plaintext: string): Made => ({ plaintext, hash: sha256(plaintext) });

/** Makes 256 bits as base64url, for session ids and codes. */
export const makeSecret = (): Made => made(randomBytes(32).toString('base64url'));

/** Makes an SDK key (`ol_`), a token (`lf_`) or the secret of a share (`lfs_`). */
export const makeKey = (prefix: 'ol_' | 'lf_' | 'lfs_'): Made & { hint: string } =>
  keyOf(prefix + randomBytes(16).toString('hex'));

/** The hint is the beginning of the key, so that its owner can recognise it. */
export const keyOf = (plaintext: string): Made & { hint: string } => ({
  ...made(plaintext),
  hint: `${plaintext.slice(0, 7)}…`,
});

/** `lfi_` and 256 bits as hexadecimal. It is stored sealed and not hashed, because it checks signatures. */
export function makeIdentitySecret(): { plaintext: string; hint: string } {
  const plaintext = `lfi_${randomBytes(32).toString('hex')}`;
  return { plaintext, hint: `${plaintext.slice(0, 8)}…` };
}

/** Returns a command for a shell, for an action without a page. The values of the body have no apostrophe. */
export function curlPost(url: string, body: Record<string, string>): string {
  return [
    `curl -X POST ${url} -H 'x-landfall: 1' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
