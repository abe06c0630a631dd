// How one request to a route is served: limit, authenticate, parse, handle, answer.
import type { Express, NextFunction, Request, Response } from 'express';
import type { Authenticate } from './authenticate.ts';
import type { ClientAddress } from './client-address.ts';
import { ApiError, invalid, methodNotAllowed } from './errors.ts';
import type { LimitCounter, Used } from './limits/limits.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './respond.ts';
import type { GatewayParts, Route } from './route.ts';

export interface Serving {
  parts: GatewayParts;
  limits: LimitCounter;
  authenticate: Authenticate;
  addressOf(req: Request): ClientAddress;
}

/** Adds the routes to express, one entry for each path, so that a wrong method is answered with the right ones. */
export function serveRoutes(app: Express, routes: readonly Route[], serving: Serving): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map<string, Route>(routes.filter((r) => r.path === path).map((r) => [r.method, r]));
    const allowed = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    // One layer for all methods: `app.all` would add one for each of some thirty.
    app.route(path).all((req: Request, res: Response, next: NextFunction) => {
      const route = byMethod.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (!route) return next(methodNotAllowed(allowed));
      serve(route, req, res, serving).catch(next);
    });
  }
}

async function serve(route: Route, req: Request, res: Response, serving: Serving): Promise<void> {
  const { parts } = serving;
  const address = serving.addressOf(req);
  const used = await serving.limits.use(route.limit, address.key);
  setLimitHeaders(res, used);
  if (!used.allowed) {
    throw new ApiError('RATE_LIMITED', undefined, { headers: { 'Retry-After': String(used.resetSeconds) } });
  }
  const key = await serving.authenticate(route.auth, req.headers);
  const call: Parameters<Route['handle']>[0] = {
    params: route.params && parse(route.params, req.params),
    query: route.query && parse(route.query, req.query),
    body: route.body && parse(route.body, await readBody(req, res)),
    key,
    address,
    requestId: res.locals.requestId,
    userAgent: req.headers['user-agent'] ?? '',
    header: (name) => req.headers[name]?.toString(),
  };
  const reply = await route.handle(call, parts);
  sendJson(res, 200, { success: true, ...reply });
}

function parse(schema: NonNullable<Route['body']>, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error);
}

/** The three RateLimit headers; the reset in seconds. */
function setLimitHeaders(res: Response, used: Used): void {
  res.setHeader('RateLimit-Limit', used.limit);
  res.setHeader('RateLimit-Remaining', used.remaining);
  res.setHeader('RateLimit-Reset', used.resetSeconds);
}
