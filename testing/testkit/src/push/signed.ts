// JSON Web Tokens as the fakes check them.
import { type KeyObject, verify } from 'node:crypto';

export interface Claims {
  iss?: string;
  aud?: string;
  scope?: string;
  iat?: number;
  exp?: number;
}

/** @param keyOf whose key it must be signed with, by header and claims @returns null when it is not */
export function readSigned(
  token: string,
  alg: 'RS256' | 'ES256',
  keyOf: (header: { kid?: string }, claims: Claims) => KeyObject | undefined,
): Claims | null {
  const [head = '', body = '', signature = ''] = token.split('.');
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString());
    const claims: Claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const key = keyOf(header, claims);
    if (header.alg !== alg || !key) return null;
    const signed = Buffer.from(`${head}.${body}`);
    const good = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    return good ? claims : null;
  } catch {
    return null;
  }
}
