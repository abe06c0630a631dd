// Serves one request to a route: limit, authenticate, parse, handle, answer.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Express, NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import { assertSignedIn, authorise } from '../access/authorise.ts';
import { assertSameSite } from '../access/cross-site.ts';
import { idOf, needsList } from '../access/needs.ts';
import { actorOf, type Caller, type WhoCalls } from '../access/principal.ts';
import type { AddressFound, ClientAddress } from '../addresses/client-address.ts';
import { ApiError, invalid, methodNotAllowed } from '../http/errors.ts';
import { readBody } from '../http/read-body.ts';
import { Reply, type Right, sendJson } from '../http/respond.ts';
import { gathered } from '../http/response-headers.ts';
import type { LimitCounter, LimitName, Used } from '../limits/limits.ts';
import type { Authenticator } from './authenticate.ts';
import { type GatewayParts, isManage, isManagedPath, type ManageRoute, type Route, type SdkRoute } from './route.ts';

export interface Serving {
  parts: GatewayParts;
  limits: LimitCounter;
  /** The counts of this gateway alone, for calls with unknown keys. They limit its key look-ups. */
  unmet: LimitCounter;
  keys: Authenticator;
  whoCalls: WhoCalls;
  /** The same, and no use of the session or token. */
  whoStillCalls: WhoCalls;
  addressOf(req: Request): ClientAddress;
  /** Returns the same address for a probe. It records no untrusted proxies. */
  probedAddressOf(req: Request): ClientAddress;
  addressFound(req: Request): AddressFound;
  countryOf(req: Request, address: ClientAddress): string | null;
  /** Called for each request of an app that a person uses. */
  sawPerson(req: Request, address: ClientAddress): void;
}

/** Limits of requests that apps send at their start. Backends, which have one address each, send the others. */
const OF_PEOPLE: ReadonlySet<LimitName> = new Set(['restore', 'heartbeat']);

/**
 * Adds the routes to express, one entry for each path, so that a wrong method gets 405 with the right ones. Throws when
 * a route of the management API does not name its needs.
 */
export function serveRoutes(app: Express, routes: readonly Route[], serving: Serving): void {
  for (const route of routes) assertStated(route);
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map<string, Route>(routes.filter((r) => r.path === path).map((r) => [r.method, r]));
    const allowed = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    // One layer for all methods. `app.all` would add one for each of about thirty.
    app.route(path).all((req: Request, res: Response, next: NextFunction) => {
      const route = byMethod.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (!route) return next(methodNotAllowed(allowed));
      serveRoute(route, req, res, serving).catch(next);
    });
  }
}

/** Throws when a route names no needs. A missing statement would make the route public. */
function assertStated(route: Route): void {
  const { path, method } = route;
  const name = `${method} ${path}`;
  if (!isManagedPath(path)) {
    if (!('auth' in route) || route.auth === undefined)
      throw new Error(`${name} does not state its key: give it \`auth\`.`);
    return;
  }
  if (!isManage(route) || route.needs === undefined || needsList(route.needs).length === 0)
    throw new Error(`${name} does not state its callers: give it \`needs\`.`);
  for (const need of needsList(route.needs)) {
    const named = typeof need !== 'object' || need.in === 'body' || path.split('/').includes(`:${idOf[need.of]}`);
    if (!named)
      throw new Error(`${name} needs a role of the ${need.of}, which its path must name as :${idOf[need.of]}.`);
  }
}

/** Serves one request. Rejects with the error to answer with. */
export async function serveRoute(route: Route, req: Request, res: Response, serving: Serving): Promise<void> {
  const address = route.probe ? serving.probedAddressOf(req) : serving.addressOf(req);
  if (OF_PEOPLE.has(route.limit)) serving.sawPerson(req, address);
  const used = await useLimit(route, req, address, serving);
  setLimitHeaders(res, used);
  if (!used.allowed) {
    throw new ApiError('RATE_LIMITED', undefined, { headers: { 'Retry-After': String(used.resetSeconds) } });
  }
  if (isManage(route)) return manage(route, req, res, address, serving);
  return sendReply(res, await answer(route, req, res, address, serving), noRight);
}

function sendReply(res: Response, reply: object, rightOf: () => Right): void | Promise<void> {
  if (reply instanceof Reply) return reply.send(res, rightOf);
  sendJson(res, 200, { success: true, ...reply });
}

function noRight(): never {
  throw new Error('a reply that stays open needs a caller of the management API');
}

/**
 * Counts a call before any look-up. An unknown key, whatever its format, counts for the address. Calls that arrive
 * during a look-up wait for its result and start no other. So a backend that begins with many calls is not refused,
 * even when its admitted calls went to other gateways.
 */
async function useLimit(route: Route, req: Request, address: ClientAddress, serving: Serving): Promise<Used> {
  const { limits, unmet, keys } = serving;
  const name = isManage(route) ? undefined : route.serverLimit;
  const byAddress = (counter: LimitCounter) => counter.use(route.limit, address.key, address.site);
  if (!name) return byAddress(limits);
  const { headers } = req;
  const met = async () => keys.serverKeyId(headers) ?? (await keys.serverKeyIdSoon(headers));
  const keyId = await met();
  if (keyId) return limits.use(name, keyId);
  const [here, used] = await Promise.all([byAddress(unmet), byAddress(limits)]);
  if (used.allowed) return used;
  // Calls that were counted together with this one have started the look-up by the next turn, or have ended.
  const soon = here.allowed ? await keys.meetServerKey(headers) : await nextTurn().then(met);
  return soon ? limits.use(name, soon) : used;
}

async function answer(route: SdkRoute, req: Request, res: Response, address: ClientAddress, serving: Serving) {
  const key = await serving.keys.authenticate(route.auth, req.headers);
  return route.handle({ ...(await read(route, req, res)), ...asked(req, res, address, serving), key }, serving.parts);
}

/**
 * Serves a route of the management API. It reads no body before the sign-in check, and runs no handler before the needs
 * are met.
 */
async function manage(
  route: ManageRoute,
  req: Request,
  res: Response,
  address: ClientAddress,
  serving: Serving,
): Promise<void> {
  const { parts } = serving;
  const caller = await serving.whoCalls(req.headers);
  assertSignedIn(route.needs, caller);
  assertSameSite(route.method, req.headers, new URL(parts.config.PUBLIC_URL).origin);
  const given = await read(route, req, res);
  await authorise(route.needs, caller, given, parts.lookups);
  const headers: [string, string | string[]][] = [];
  const call: Parameters<ManageRoute['handle']>[0] = {
    ...given,
    ...asked(req, res, address, serving),
    caller,
    actor() {
      if (!caller) throw new Error('this route needs no sign-in, so there may be no actor');
      return actorOf(caller, parts.hashes.address(address));
    },
    headers: req.headers,
    setHeader: (name, value) => headers.push([name, value]),
  };
  const reply = await route.handle(call, parts);
  for (const [name, value] of headers) res.appendHeader(name, value);
  return sendReply(res, reply, rightOf);

  function rightOf(): Right {
    const { lookups } = parts;
    const ids = [...idsOf(caller), ...Object.values(given.params as Record<string, string>)];
    return {
      check: async () => authorise(route.needs, await serving.whoStillCalls(req.headers), given, lookups),
      watch: (seen) => lookups.watch(ids, seen),
    };
  }
}

/** Returns the ids whose changes may end the rights of a caller. */
function idsOf(caller: Caller | null): string[] {
  if (caller === null || caller.kind === 'visitor') return [];
  if (caller.kind === 'operator') return [caller.tokenId];
  return [caller.userId];
}

async function read(route: Route, req: Request, res: Response) {
  return {
    params: route.params && parse(route.params, req.params),
    query: route.query && parse(route.query, queryOf(route.query, req)),
    body: route.body && parse(route.body, await readBody(req, res, route)),
  };
}

const asked = (req: Request, res: Response, address: ClientAddress, serving: Serving) => ({
  address,
  addressFound: () => serving.addressFound(req),
  country: () => serving.countryOf(req, address),
  requestId: res.locals.requestId as string,
  userAgent: req.headers['user-agent'] ?? '',
  header: (name: string) => req.headers[name]?.toString(),
  hasLeft: () => res.destroyed,
});

/** Returns the query. A parameter that may be repeated is a list. Of any other, the last value counts. */
function queryOf(schema: NonNullable<Route['query']>, req: Request): Record<string, unknown> {
  const names = repeatable(schema);
  if (names.length === 0) return req.query;
  const values = new URLSearchParams(req.url.slice(req.path.length));
  return { ...req.query, ...Object.fromEntries(names.map((name) => [name, values.getAll(name)])) };
}

const repeatables = new WeakMap<z.ZodType, string[]>();

function repeatable(schema: z.ZodType): string[] {
  const known = repeatables.get(schema);
  if (known !== undefined) return known;
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const names = Object.keys(shape).filter((name) => {
    const field = shape[name];
    return (field instanceof z.ZodDefault ? field.unwrap() : field) instanceof z.ZodArray;
  });
  repeatables.set(schema, names);
  return names;
}

function parse(schema: NonNullable<Route['body']>, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error);
}

/** Sets the three RateLimit headers. The reset is in seconds. */
function setLimitHeaders(res: Response, used: Used): void {
  const headers = gathered(res);
  headers['RateLimit-Limit'] = used.limit;
  headers['RateLimit-Remaining'] = used.remaining;
  headers['RateLimit-Reset'] = used.resetSeconds;
}
