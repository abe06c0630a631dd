// Another site may make a browser send a request with our cookie. It cannot make it send a header of its own, nor hide where
// the request comes from.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../http/errors.ts';
import { bearer } from './principal.ts';

const MARK = 'x-landfall';

/**
 * Throws 403 for what changes something and may have been sent by another site. Sign-in is looked at, too, where there is no
 * session yet: nobody is to be signed in as somebody else. A bearer no browser adds by itself.
 */
export function assertSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || bearer(headers) !== undefined) return;
  const { origin } = headers;
  if (headers[MARK] !== '1' || (origin !== undefined && origin !== publicOrigin)) throw new ApiError('CROSS_SITE');
}
