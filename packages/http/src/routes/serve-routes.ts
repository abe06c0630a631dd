// Serves the requests of a table of routes: limit, parse, answer. Who the caller is belongs to the kind of the routes.
import type { Express, NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { AddressFound, ClientAddress } from '../addresses/client-address.ts';
import { methodNotAllowed, parsed, rateLimited } from '../answers/errors.ts';
import { gathered } from '../answers/response-headers.ts';
import { onceFor } from '../caches/once-for.ts';
import type { LimitCounter, LimitName, Used } from '../limits/limits.ts';
import { readBody } from '../requests/read-body.ts';
import type { AnyRoute } from './route.ts';

export interface Serving {
  limits: LimitCounter;
  addressOf(req: Request): ClientAddress;
  /** Returns the same address for a probe. It records no untrusted proxies. */
  probedAddressOf(req: Request): ClientAddress;
  addressFound(req: Request): AddressFound;
  /** Called for each request of an app that a person uses. */
  sawPerson(req: Request, address: ClientAddress): void;
}

export interface Kind<R extends AnyRoute> {
  /** Throws when a route does not state who may call it. */
  assertStated(route: R): void;
  /** Counts a call before anything else is done. Without it, the limit of the route counts the address. */
  use?(route: R, req: Request, address: ClientAddress): Promise<Used>;
  /** Recognises the caller, runs the handler and answers. Rejects with the error to answer with. */
  answer(route: R, req: Request, res: Response, address: ClientAddress): Promise<void>;
}

/** Limits of requests that apps send at their start. Backends, which have one address each, send the others. */
const OF_PEOPLE: ReadonlySet<LimitName> = new Set(['restore', 'heartbeat']);

/**
 * Adds the routes to express, one entry for each path, so that a wrong method gets 405 with the right ones. Throws when
 * a route does not state its callers.
 */
export function serveRoutes<R extends AnyRoute>(
  app: Express,
  routes: readonly R[],
  kind: Kind<R>,
  serving: Serving,
): void {
  for (const route of routes) kind.assertStated(route);
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map<string, R>(routes.filter((r) => r.path === path).map((r) => [r.method, r]));
    const allowed = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    // One layer for all methods. `app.all` would add one for each of about thirty.
    app.route(path).all((req: Request, res: Response, next: NextFunction) => {
      const route = byMethod.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (!route) return next(methodNotAllowed(allowed));
      serveRoute(route, req, res, kind, serving).catch(next);
    });
  }
}

/** Serves one request. Rejects with the error to answer with. */
export async function serveRoute<R extends AnyRoute>(
  route: R,
  req: Request,
  res: Response,
  kind: Kind<R>,
  serving: Serving,
): Promise<void> {
  const address = route.probe ? serving.probedAddressOf(req) : serving.addressOf(req);
  if (OF_PEOPLE.has(route.limit)) serving.sawPerson(req, address);
  const used = await (kind.use?.(route, req, address) ?? useOfAddress(serving.limits, route.limit, address));
  setLimitHeaders(res, used);
  if (!used.allowed) throw rateLimited(used);
  return kind.answer(route, req, res, address);
}

export const useOfAddress = (limits: LimitCounter, name: LimitName, { key, site }: ClientAddress): Promise<Used> =>
  limits.use(name, key, site);

/** Returns what the request gives. Throws 400 with the name of the field that does not fit. */
export async function readRequest(route: AnyRoute, req: Request, res: Response) {
  return {
    params: route.params && parsed(route.params, req.params),
    query: route.query && parsed(route.query, queryOf(route.query, req)),
    body: route.body && parsed(route.body, await readBody(req, res, route)),
  };
}

/** Returns what every call has, whatever it gives. */
export const aboutCall = (req: Request, res: Response, address: ClientAddress, serving: Serving) => ({
  address,
  addressFound: () => serving.addressFound(req),
  requestId: res.locals.requestId as string,
  userAgent: req.headers['user-agent'] ?? '',
  header: (name: string) => req.headers[name]?.toString(),
  hasLeft: () => res.destroyed,
});

/** Returns the query. A parameter that may be repeated is a list. Of any other, the last value counts. */
function queryOf(schema: z.ZodType, req: Request): Record<string, unknown> {
  const names = repeatable(schema);
  if (names.length === 0) return req.query;
  const values = new URLSearchParams(req.url.slice(req.path.length));
  return { ...req.query, ...Object.fromEntries(names.map((name) => [name, values.getAll(name)])) };
}

const repeatable = onceFor((schema: z.ZodType): string[] => {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.keys(shape).filter((name) => {
    const field = shape[name];
    return (field instanceof z.ZodDefault ? field.unwrap() : field) instanceof z.ZodArray;
  });
});

function setLimitHeaders(res: Response, used: Used): void {
  const headers = gathered(res);
  headers['RateLimit-Limit'] = used.limit;
  headers['RateLimit-Remaining'] = used.remaining;
  headers['RateLimit-Reset'] = used.resetSeconds;
}
