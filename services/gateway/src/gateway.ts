// The only HTTP server. It limits, authenticates, parses, asks and answers; it has no database.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@landfall/bus';
import {
  createSealer,
  type Health,
  type HealthServer,
  type Logger,
  type Metrics,
  noTracing,
  readiness,
  StartError,
  serveHealth,
  type Tracing,
} from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import swaggerUi from 'swagger-ui-express';
import { authenticator } from './authenticate.ts';
import { addressFound, type ClientAddress, clientAddress } from './client-address.ts';
import type { GatewayConfig } from './config.ts';
import { createCookies } from './cookies.ts';
import { ApiError, errorBody, methodNotAllowed, statusOf, toApiError } from './errors.ts';
import { trustedPeers } from './forwarded-for.ts';
import { addGatewayMetrics, gatewayMetricTable } from './gateway-metrics.ts';
import { hashes as createHashes, type Hashes } from './hashes.ts';
import { createHosts } from './hosts.ts';
import { callerUses, createKeyUses } from './key-use.ts';
import type { LimitCounter } from './limits/limits.ts';
import { memoryCounter } from './limits/memory-counter.ts';
import { redisCounter } from './limits/redis-counter.ts';
import { serveLinkHost } from './link-host/serve-link-host.ts';
import { tapTeller } from './link-host/tell-tap.ts';
import { createLookups } from './lookups/lookups.ts';
import { observeRequests, routeIs } from './observe-requests.ts';
import { createProvider } from './oidc/provider.ts';
import { oidcOf } from './oidc/settings.ts';
import { openapi } from './openapi.ts';
import { createOpens } from './opens.ts';
import { peopleAddresses } from './people-addresses.ts';
import { whoCalls } from './principal.ts';
import { settleHost } from './request-host.ts';
import { sendJson } from './respond.ts';
import type { GatewayParts, Self } from './route.ts';
import { routes } from './routes/index.ts';
import { CALLBACK } from './routes/manage-oidc.ts';
import { serveMetrics } from './serve-metrics.ts';
import { serveRoutes } from './serve-route.ts';
import { untrustedProxies } from './untrusted-proxies.ts';

export interface GatewayOptions {
  config: GatewayConfig;
  /** Tells it from other gateways; the host's name when left out. */
  instance?: string;
  bus: Bus;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing?: Tracing;
  limits?: LimitCounter;
  /** Milliseconds; the system's clock when left out. */
  now?: () => number;
}

export interface Gateway {
  /** Listens. Resolves with the port. */
  start(): Promise<number>;
  /** Not ready; after DRAIN_SECONDS accepts nothing more, and finishes what is under way. */
  stop(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { config, bus, log, health, metrics, tracing = noTracing } = options;
  const now = () => new Date(options.now?.() ?? Date.now());
  const hashes = createHashes(config.HASH_SECRET);
  const lookups = createLookups(bus);
  const limits = options.limits ?? limitCounter(config, hashes, log);
  const taps = tapTeller(bus, log);
  const opens = createOpens(bus, hashes, log, now);
  const restored = metrics.count(gatewayMetricTable.restores);
  const cookies = createCookies(config.PUBLIC_URL);
  const proxies = untrustedProxies((peer) =>
    log.warn(
      { peer },
      'an untrusted peer sends X-Forwarded-For: set TRUST_PROXY, or its requests are not matched by address',
    ),
  );
  const people = peopleAddresses();
  const self: Self = {
    instance: options.instance ?? hostname(),
    limitsIn: () => limits.mode(),
    seen: () => ({ people: people.read(), untrustedProxies: proxies.peers() }),
  };
  const keyUses = createKeyUses(bus, log, now);
  const oidc = oidcOf(config);
  const parts: GatewayParts = {
    bus,
    lookups,
    hashes,
    hosts: createHosts(config),
    sealer: createSealer(config.SEAL_SECRET),
    cookies,
    provider: oidc ? createProvider(oidc, config.PUBLIC_URL + CALLBACK) : null,
    config,
    log,
    now,
    opens,
    self,
    restored,
  };
  let state: 'starting' | 'ready' | 'stopping' = 'starting';

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const trusts = trustedPeers(config.TRUST_PROXY);
  // A repeated parameter counts with its last value.
  app.set('query parser', (query: string) => Object.fromEntries(new URLSearchParams(query)));
  const addressOf = (req: Request) => clientAddress(req, trusts, proxies);
  const sawPerson = (req: Request, { key }: ClientAddress) =>
    people.saw(key, req.headers['x-forwarded-for'] !== undefined, Date.now());
  const linkHost = serveLinkHost({ parts, limits, taps, addressOf, sawPerson });

  app.use(observeRequests(metrics, tracing));
  app.use(identify(config, () => state === 'stopping'));
  app.use(linkHost.tapOrPass);
  serveRoutes(app, routes, {
    parts,
    limits,
    unmet: memoryCounter(config.RATE_LIMITS, MAX_UNMET),
    addressOf,
    probedAddressOf: (req) => clientAddress(req, trusts),
    addressFound: (req) => addressFound(req, trusts),
    sawPerson,
    keys: authenticator(lookups, ['x-service-sdk-key', ...config.SDK_KEY_HEADERS], keyUses.used, now),
    whoCalls: whoCalls(lookups, cookies, callerUses(bus, log, now), now),
  });
  serveGet(app, '/.well-known/apple-app-site-association', linkHost.appleAppSiteAssociation);
  serveGet(app, '/.well-known/assetlinks.json', linkHost.assetLinks);
  serveGet(app, '/robots.txt', linkHost.robots);
  serveOwnPages(app, config, health, cookies.sessionName);
  // Where it has a port of its own, it is nothing that the world can ask for.
  if (config.METRICS_PORT === undefined) serveGet(app, '/metrics', serveMetrics(metrics));
  app.use((_req, _res, next) => next(new ApiError('NOT_FOUND')));
  app.use(answerError(log));

  health.add('gateway', () => ({ ok: state === 'ready', detail: state }));
  health.add('limits', () => limits.health());
  health.add('taps', () => taps.health());
  health.add('proxies', () => ({ ok: true, detail: proxies.detail() }));
  addGatewayMetrics(metrics, limits, taps, proxies);
  metrics.addHealth(health);

  // A missing host is answered by us, in our form.
  const server = createServer({ requireHostHeader: false }, app);
  server.on('clientError', answerClientError);
  // Longer than the idle time of common load balancers, so that they close first.
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 30_000;
  let healthServer: HealthServer | undefined;

  async function open(): Promise<void> {
    const { METRICS_PORT } = config;
    if (METRICS_PORT !== undefined) healthServer = await serveHealth({ port: METRICS_PORT, health, metrics, log });
    await listen(server, config.PORT);
  }

  return {
    async start() {
      await open().catch(async (error: unknown) => {
        limits.close();
        await healthServer?.stop();
        throw error;
      });
      state = 'ready';
      return (server.address() as AddressInfo).port;
    },
    async stop() {
      state = 'stopping';
      await delay(config.DRAIN_SECONDS * 1000);
      await close(server);
      await taps.stop();
      await keyUses.stop();
      limits.close();
      await healthServer?.stop();
    },
  };
}

function limitCounter(
  { REDIS_URL, REDIS_TIMEOUT_MS, RATE_LIMITS }: GatewayConfig,
  hashes: Hashes,
  log: Logger,
): LimitCounter {
  if (REDIS_URL === undefined) return memoryCounter(RATE_LIMITS);
  return redisCounter({ url: REDIS_URL, withinMs: REDIS_TIMEOUT_MS, limits: RATE_LIMITS, keyOf: hashes.limited, log });
}

/** Addresses whose calls with keys that were not met are counted at the most; the least recently seen go first. */
const MAX_UNMET = 10_000;

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Names the request, and tolerates repeated slashes: SDKs whose base URL ends with one send `//api/…`. */
function identify(config: GatewayConfig, stopping: () => boolean) {
  const ownHost = new URL(config.PUBLIC_URL).host;
  return (req: Request, res: Response, next: NextFunction): void => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    res.locals.requestId = id;
    res.setHeader('x-request-id', id);
    if (stopping()) res.setHeader('Connection', 'close');
    const wrongHost = settleHost(req, ownHost);
    if (wrongHost !== null) return void next(new ApiError('INVALID_REQUEST', [{ path: 'Host', message: wrongHost }]));
    const pathEnd = req.url.indexOf('?');
    const path = pathEnd < 0 ? req.url : req.url.slice(0, pathEnd);
    if (path.includes('//')) req.url = path.replace(/\/{2,}/g, '/') + (pathEnd < 0 ? '' : req.url.slice(pathEnd));
    next();
  };
}

/** Serves a path for GET and HEAD, and says so to every other method. */
function serveGet(app: Express, path: string, handler: RequestHandler): void {
  app
    .route(path)
    .get(handler)
    .all((_req, _res, next) => next(methodNotAllowed(['GET', 'HEAD'])));
}

/** The document, its page, and health. */
function serveOwnPages(app: Express, config: GatewayConfig, health: Health, sessionName: string): void {
  const document = openapi(routes, config.PUBLIC_URL, sessionName);
  serveGet(app, '/', (_req, res) => res.redirect(302, '/docs'));
  serveGet(app, '/openapi.json', (_req, res) => sendJson(res, 200, document));
  app.use('/docs', routeIs('/docs'), swaggerUi.serve);
  serveGet(app, '/docs', swaggerUi.setup(undefined, { swaggerUrl: '/openapi.json', customSiteTitle: 'Landfall API' }));
  serveGet(app, '/livez', (_req, res) => sendJson(res, 200, { status: 'alive' }));
  serveGet(app, '/readyz', async (_req, res) => {
    const { status, body } = await readiness(health);
    sendJson(res, status, body);
  });
}

function answerError(log: Logger) {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    const answer = toApiError(error, log, res.locals.requestId);
    for (const [name, value] of Object.entries(answer.more.headers ?? {})) res.setHeader(name, value);
    sendJson(res, statusOf[answer.code], errorBody(answer));
  };
}

/** What is no HTTP never reaches express; it gets the same form of answer. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({
    error: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
    code: 'INVALID_REQUEST',
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nx-request-id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(portTaken(port));
      else if (error.code === 'EACCES')
        reject(new StartError(`Port ${port} needs more rights than this user has: set PORT to one above 1023.`));
      else reject(error);
    });
    server.listen(port, resolve);
  });
}

export const portTaken = (port: number): StartError =>
  new StartError(
    `Port ${port} is taken: stop the program that uses it, or set PORT to another, e.g. PORT=${port + 1} npm start.`,
  );

/** How long a client has for the rest of its request when we stop, in milliseconds. The whole stop has 9 s. */
const CLOSE_WITHIN_MS = 5_000;
/** How long connections that look idle are kept when we stop, in milliseconds: a request may be on its way over each. */
const IDLE_MS = 500;

/** Accepts nothing more. Connections end with the answer to their next request, after a while as they are. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let idle: NodeJS.Timeout | undefined;
    const quiet = setTimeout(() => {
      idle = setInterval(() => server.closeIdleConnections(), 50);
    }, IDLE_MS);
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    // The close of http would end at once what looks idle.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(quiet);
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}
