// Reads the cookies of a request, and its key or token.
import type { IncomingHttpHeaders } from 'node:http';

/** 32 bytes as base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Returns the first value of the right form. Null when there is none. The package `cookie` returns the first value only,
 * and without TLS another host of the domain can set one before ours.
 */
export function readCookie(headers: Pick<IncomingHttpHeaders, 'cookie'>, name: string, form = SECRET): string | null {
  return pairsOf(headers).find((pair) => pair.name === name && form.test(pair.value))?.value ?? null;
}

export const pairsOf = ({ cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>): { name: string; value: string }[] =>
  cookie.split(';').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() };
  });

/** Returns the value after `Authorization: Bearer`. */
export const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];

/** Returns the values after `Authorization: Share`: the secret of a share, and the pass that its password gives. */
export function shareGiven({
  authorization = '',
}: IncomingHttpHeaders): { secret: string; pass: string | null } | null {
  const [, secret, pass = null] = /^Share +(\S+)(?: +(\S+))? *$/i.exec(authorization) ?? [];
  return secret === undefined ? null : { secret, pass };
}
