// Serves the requests of a table of routes: limit, parse, answer. Who the caller is belongs to the kind of the routes.
import type { Express, RequestHandler } from 'express';
import { z } from 'zod';
import type { AddressFound, ClientAddress } from '../addresses/client-address.ts';
import { methodNotAllowed, parsed, rateLimited } from '../answers/errors.ts';
import { gathered } from '../answers/response-headers.ts';
import { onceFor } from '../caches/once-for.ts';
import type { LimitCounter, LimitName, Used } from '../limits/limits.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../requests/http-messages.ts';
import { readBody } from '../requests/read-body.ts';
import type { AnyRoute } from './route.ts';

export interface Serving {
  limits: LimitCounter;
  addressOf(req: HttpRequest): ClientAddress;
  /** Returns the same address for a probe. It records no untrusted proxies. */
  probedAddressOf(req: HttpRequest): ClientAddress;
  addressFound(req: HttpRequest): AddressFound;
  /** Called for each request of an app that a person uses. */
  sawPerson(req: HttpRequest, address: ClientAddress): void;
}

export interface Kind<R extends AnyRoute> {
  /** Throws when a route does not state who may call it. */
  assertStated(route: R): void;
  /** Counts a call before anything else is done. Without it, the limit of the route counts the address. */
  use?(route: R, req: HttpRequest, address: ClientAddress): Promise<Used>;
  /** Recognises the caller, runs the handler and answers. Rejects with the error to answer with. */
  answer(route: R, req: HttpRequest, res: HttpResponse, address: ClientAddress): Promise<void>;
}

/** Limits of requests that apps send at their start. Backends, which have one address each, send the others. */
const OF_PEOPLE: ReadonlySet<LimitName> = new Set(['restore', 'heartbeat']);

/**
 * Returns a handler for each path. A wrong method gets 405 with the right ones. Throws when a route does not state its
 * callers.
 */
export function handlersOf<R extends AnyRoute>(
  routes: readonly R[],
  kind: Kind<R>,
  serving: Serving,
): Map<string, HttpHandler> {
  const handlers = new Map<string, HttpHandler>();
  for (const route of routes) kind.assertStated(route);
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map<string, R>(routes.filter((r) => r.path === path).map((r) => [r.method, r]));
    const allowed = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    handlers.set(path, (req, res, next) => {
      const route = byMethod.get(req.method === 'HEAD' ? 'GET' : req.method);
      return route ? serveRoute(route, req, res, kind, serving) : next(methodNotAllowed(allowed));
    });
  }
  return handlers;
}

/** Adds handlers to express: one layer for all methods of a path. `app.all` would add one for each of about thirty. */
export function serveRoutes(app: Express, handlers: ReadonlyMap<string, HttpHandler>): void {
  for (const [path, handler] of handlers) app.route(path).all(handler as RequestHandler);
}

/** Serves one request. Rejects with the error to answer with. */
export async function serveRoute<R extends AnyRoute>(
  route: R,
  req: HttpRequest,
  res: HttpResponse,
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
export async function readRequest(route: AnyRoute, req: HttpRequest, res: HttpResponse) {
  return {
    params: route.params && parsed(route.params, req.params),
    query: route.query && parsed(route.query, queryOf(route.query, req)),
    body: route.body && parsed(route.body, await readBody(req, res, route)),
  };
}

/** Returns what every call has, whatever it gives. */
export const aboutCall = (req: HttpRequest, res: HttpResponse, address: ClientAddress, serving: Serving) => ({
  address,
  addressFound: () => serving.addressFound(req),
  requestId: res.locals.requestId,
  userAgent: req.headers['user-agent'] ?? '',
  header: (name: string) => req.headers[name]?.toString(),
  hasLeft: () => res.destroyed,
});

/** Returns the query. A parameter that may be repeated is a list. Of any other, the last value counts. */
function queryOf(schema: z.ZodType, req: HttpRequest): Record<string, unknown> {
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

function setLimitHeaders(res: HttpResponse, used: Used): void {
  const headers = gathered(res);
  headers['RateLimit-Limit'] = used.limit;
  headers['RateLimit-Remaining'] = used.remaining;
  headers['RateLimit-Reset'] = used.resetSeconds;
}
