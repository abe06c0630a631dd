// Opens one route to pages of other sites, which look up links without a key (`@landfall/web`). Such a look-up tells a page
// what it tells every program, and no cookie counts here. With a key it would count as an opening by an app, so a page
// cannot read that answer.
import { gathered, type HttpHandler } from '@landfall/http';

/** Seconds for which a browser remembers the answer to a preflight. Browsers shorten it. */
const MAX_AGE = 86_400;

/** @param keyHeaders the names of the headers that may carry a key */
export const openToPages =
  (keyHeaders: readonly string[], handler: HttpHandler): HttpHandler =>
  (req, res, next) => {
    if (keyHeaders.every((name) => req.headers[name] === undefined)) gathered(res)['Access-Control-Allow-Origin'] = '*';
    if (req.method !== 'OPTIONS') return handler(req, res, next);
    Object.assign(gathered(res), {
      'Access-Control-Allow-Methods': 'GET',
      'Access-Control-Allow-Headers': 'content-type, x-landfall-client',
      'Access-Control-Max-Age': MAX_AGE,
    });
    res.writeHead(204).end();
  };
