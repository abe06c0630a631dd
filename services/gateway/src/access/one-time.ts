// Secrets that we make for people. We show each once; only its SHA-256 is sent on and stored.
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

/**
 * The secret with which an app's backend signs the names of its users: `lfi_` and 256 bits as hexadecimal. It is stored
 * sealed, because we use it.
 */
export function makeIdentitySecret(): { plaintext: string; hint: string } {
  const plaintext = `lfi_${randomBytes(32).toString('hex')}`;
  return { plaintext, hint: `${plaintext.slice(0, 8)}…` };
}
