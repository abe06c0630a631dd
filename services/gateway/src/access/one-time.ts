// What we generate for people to keep: made here, shown once; only its SHA-256 travels and is stored.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../hashes.ts';

export interface Made {
  plaintext: string;
  hash: string;
}

const made = (plaintext: string): Made => ({ plaintext, hash: sha256(plaintext) });

/** 256 bits as base64url: ids of sessions, codes. */
export const makeSecret = (): Made => made(randomBytes(32).toString('base64url'));

/** An SDK key (`ol_`) or a token (`lf_`), with the beginning by which its owner knows it again. */
export function makeKey(prefix: 'ol_' | 'lf_'): Made & { hint: string } {
  const plaintext = prefix + randomBytes(16).toString('hex');
  return { ...made(plaintext), hint: `${plaintext.slice(0, 7)}…` };
}

/** What an app's backend signs with who its users are: `lfi_` and 256 bits as hexadecimal. It is stored sealed, because it is used. */
export function makeIdentitySecret(): { plaintext: string; hint: string } {
  const plaintext = `lfi_${randomBytes(32).toString('hex')}`;
  return { plaintext, hint: `${plaintext.slice(0, 8)}…` };
}
