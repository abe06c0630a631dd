// Finds the host of a request from the Host header only. It never reads X-Forwarded-Host or Forwarded: a proxy that
// passes on a client's value would let the client choose the app whose answer a cache keeps.
import type { IncomingMessage } from 'node:http';

/** Returns the requested host with its port. The request must have passed `settleHost`. */
export const hostOf = (req: Pick<IncomingMessage, 'headers'>): string => req.headers.host!;

/** A name or an address, perhaps with a port. In a list or a URL two readers may see two hosts. */
const HOST = /^(?:[^\s,/\\@?#[\]:]*|\[[\d.:a-f]+\])(?::\d*)?$/i;
const WHOLE_URL = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Leaves one host in the Host header, and a path in `url` when the request had a whole URL (RFC 9112, 3.2.2).
 * @param ownHost replaces an empty name, and the missing name of an old client
 * @returns the error in the host; null when there is none
 */
export function settleHost(
  req: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url' | 'httpVersion'>,
  ownHost: string,
): string | null {
  const { headers, url = '/' } = req;
  const { host } = headers;
  if (host === undefined && req.httpVersion !== '1.0') return 'is required';
  if (host !== undefined && (!HOST.test(host) || saysTwice(req.rawHeaders))) return 'must be one host';
  if (!url.startsWith('/') && url !== '*') {
    const [, authority = '', rest = ''] = WHOLE_URL.exec(url) ?? [];
    if (authority === '' || !HOST.test(authority)) return 'must be in the URL when the URL is absolute';
    if (host !== undefined && host.toLowerCase() !== authority.toLowerCase()) return 'must be the one in the URL';
    headers.host = authority;
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
  headers.host ||= ownHost;
  return null;
}

/** Checks for two Host headers, because Node keeps only the first. Names and values alternate in the list. */
function saysTwice(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host' && ++found > 1) return true;
  }
  return false;
}
