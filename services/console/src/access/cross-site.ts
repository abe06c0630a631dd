// Guards against requests from other sites. Another site can make a browser send a request with our cookie. It cannot
// add a header of its own, and cannot hide the origin of the request.

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, bearer } from '@landfall/http';

const MARK = 'x-landfall';

/**
 * Throws 403 for a request that changes something and may come from another site. Sign-in is checked, too, although it
 * has no session yet: another site must not sign a person in as somebody else. A bearer token is safe, because a
 * browser never adds one by itself.
 */
export function assertSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || bearer(headers) !== undefined) return;
  const { origin } = headers;
  if (headers[MARK] !== '1' || (origin !== undefined && origin !== publicOrigin)) throw new ApiError('CROSS_SITE');
}
