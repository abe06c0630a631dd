// Reads the host of a request from the Host header alone. X-Forwarded-Host and Forwarded are ignored: a proxy that
// passes on a client's value would let the client choose the app whose answer a cache keeps.
import type { IncomingMessage } from 'node:http';

/** The host with its port, as it was asked for. For requests that `settleHost` has seen. */
export const hostOf = (req: Pick<IncomingMessage, 'headers'>): string => req.headers.host!;

/** A name or an address, with a port perhaps. A comma or a slash is a list or a URL: two who read it may see two hosts. */
const HOST = /^(?:[^\s,/\\@?#[\]:]*|\[[\d.:a-f]+\])(?::\d*)?$/i;
const WHOLE_URL = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Leaves one host in the Host header, and a path in `url` where a whole URL was asked for (RFC 9112, 3.2.2).
 * @param ownHost stands for an empty name, and for that of an old client which says none
 * @returns what is wrong with the host; null when nothing is
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
    if (authority === '' || !HOST.test(authority)) return 'must be in the URL, where that is a whole one';
    if (host !== undefined && host.toLowerCase() !== authority.toLowerCase()) return 'must be the one in the URL';
    headers.host = authority;
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
  headers.host ||= ownHost;
  return null;
}

/** Node keeps the first of two Host headers. Names and values take turns. */
function saysTwice(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host' && ++found > 1) return true;
  }
  return false;
}
