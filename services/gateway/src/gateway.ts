// The only HTTP server. It limits, authenticates, parses, asks services and answers. It has no database.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
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
  serveHealth,
  type Tracing,
} from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { createCookies } from './access/cookies.ts';
import { createIdentities } from './access/identity.ts';
import { callerUses, createKeyUses } from './access/key-use.ts';
import { whoCalls } from './access/principal.ts';
import { createSignInGate } from './access/sign-in-gate.ts';
import { addressFound, type ClientAddress, clientAddress } from './addresses/client-address.ts';
import { trustedPeers } from './addresses/forwarded-for.ts';
import { createHosts } from './addresses/hosts.ts';
import { peopleAddresses } from './addresses/people-addresses.ts';
import { untrustedProxies } from './addresses/untrusted-proxies.ts';
import type { GatewayConfig } from './config.ts';
import { addGatewayMetrics, gatewayMetricTable } from './gateway-metrics.ts';
import { hashes as createHashes, type Hashes } from './hashes.ts';
import { ApiError, errorBody, methodNotAllowed, statusOf, toApiError } from './http/errors.ts';
import { close, createHttpServer, listen } from './http/http-server.ts';
import { observeRequests, routeIs } from './http/observe-requests.ts';
import { settleHost } from './http/request-host.ts';
import { sendJson } from './http/respond.ts';
import { type Gathered, gather, gathered, responseHeaders, writeGathered } from './http/response-headers.ts';
import type { LimitCounter } from './limits/limits.ts';
import { memoryCounter } from './limits/memory-counter.ts';
import { redisCounter } from './limits/redis-counter.ts';
import { serveLinkHost } from './link-host/serve-link-host.ts';
import { tapTeller } from './link-host/tell-tap.ts';
import { createLookups } from './lookups/lookups.ts';
import { createProvider } from './oidc/provider.ts';
import { oidcOf } from './oidc/settings.ts';
import { openapi } from './openapi/openapi.ts';
import { docsIndex, docsPage, limitDocuments, serveDocument } from './openapi/serve-documents.ts';
import { routes } from './routes/index.ts';
import { CALLBACK } from './routes/manage-oidc.ts';
import { authenticator } from './routing/authenticate.ts';
import type { GatewayParts, Self } from './routing/route.ts';
import { serveRoutes } from './routing/serve-route.ts';
import { createOpens } from './sending/opens.ts';
import { restoreReleases } from './sending/restore-releases.ts';
import { serveMetrics } from './serve-metrics.ts';

export interface GatewayOptions {
  config: GatewayConfig;
  /** The name of this gateway among several. Defaults to the host's name. */
  instance?: string;
  bus: Bus;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing?: Tracing;
  limits?: LimitCounter;
  /** The time in milliseconds. Defaults to the system's clock. */
  now?: () => number;
}

export interface Gateway {
  /** Starts to listen. Resolves with the port. */
  start(): Promise<number>;
  /** Makes the gateway not ready. After DRAIN_SECONDS it accepts no more connections, and finishes open requests. */
  stop(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { config, bus, log, health, metrics, tracing = noTracing } = options;
  const now = () => new Date(options.now?.() ?? Date.now());
  const hashes = createHashes(config.HASH_SECRET);
  const lookups = createLookups(bus);
  const limits = options.limits ?? limitCounter(config, hashes, log);
  const taps = tapTeller(bus, log);
  const releases = restoreReleases(bus, log);
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
  const sealer = createSealer(config.SEAL_SECRET);
  const parts: GatewayParts = {
    bus,
    lookups,
    hashes,
    hosts: createHosts(config),
    sealer,
    identities: createIdentities(sealer, hashes, now),
    cookies,
    provider: oidc ? createProvider(oidc, config.PUBLIC_URL + CALLBACK) : null,
    signIns: createSignInGate(),
    config,
    log,
    restoreReleases: releases,
    now,
    opens,
    self,
    restored,
  };
  let state: 'starting' | 'ready' | 'stopping' = 'starting';

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  writeGathered(app);
  const trusts = trustedPeers(config.TRUST_PROXY);
  // The last value of a repeated parameter counts.
  app.set('query parser', (query: string) => Object.fromEntries(new URLSearchParams(query)));
  const addressOf = (req: Request) => clientAddress(req, trusts, proxies);
  const sawPerson = (req: Request, { key }: ClientAddress) =>
    people.saw(key, req.headers['x-forwarded-for'] !== undefined, Date.now());
  const linkHost = serveLinkHost({ parts, limits, taps, addressOf, sawPerson });

  const headers = responseHeaders(config.PUBLIC_URL);
  app.use(observeRequests(metrics, tracing));
  app.use(identify(config, headers, () => state === 'stopping'));
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
  serveDocuments(app, config, cookies.sessionName, limitDocuments(limits, addressOf));
  serveHealthPages(app, health);
  // With METRICS_PORT the metrics have their own port. Then the public port does not serve them.
  if (config.METRICS_PORT === undefined) serveGet(app, '/metrics', serveMetrics(metrics));
  app.use((_req, _res, next) => next(new ApiError('NOT_FOUND')));
  app.use(answerError(log));

  health.add('gateway', () => ({ ok: state === 'ready', detail: state }));
  health.add('limits', () => limits.health());
  health.add('taps', () => taps.health());
  health.add('proxies', () => ({ ok: true, detail: proxies.detail() }));
  addGatewayMetrics(metrics, limits, taps, proxies);
  metrics.addHealth(health);

  const refused = metrics.count(gatewayMetricTable.connectionsRefused);
  const server = createHttpServer(app, {
    maxConnections: config.MAX_CONNECTIONS,
    requestMs: config.REQUEST_SECONDS * 1000,
    headers,
    onRefused: () => refused(),
  });
  let healthServer: HealthServer | undefined;

  async function open(): Promise<void> {
    const { METRICS_PORT: port, METRICS_HOSTS: metricsHosts } = config;
    if (port !== undefined) healthServer = await serveHealth({ port, metricsHosts, health, metrics, log });
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
      await Promise.all([taps.stop(), opens.stop(), releases.stop()]);
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

/** The maximum number of addresses whose calls with unknown keys are counted. The least recently seen go first. */
const MAX_UNMET = 10_000;

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Gives each request an id. Accepts repeated slashes, because SDKs whose base URL ends with a slash send `//api/…`. */
function identify(config: GatewayConfig, ofEveryAnswer: Readonly<Gathered>, stopping: () => boolean) {
  const ownHost = new URL(config.PUBLIC_URL).host;
  return (req: Request, res: Response, next: NextFunction): void => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    res.locals.requestId = id;
    gather(res, { 'x-request-id': id, ...ofEveryAnswer, ...(stopping() && { Connection: 'close' }) });
    const wrongHost = settleHost(req, ownHost);
    if (wrongHost !== null) return void next(new ApiError('INVALID_REQUEST', [{ path: 'Host', message: wrongHost }]));
    const pathEnd = req.url.indexOf('?');
    const path = pathEnd < 0 ? req.url : req.url.slice(0, pathEnd);
    if (path.includes('//')) req.url = path.replace(/\/{2,}/g, '/') + (pathEnd < 0 ? '' : req.url.slice(pathEnd));
    next();
  };
}

/** Serves a path for GET and HEAD. Every other method gets 405. */
function serveGet(app: Express, path: string, ...handlers: RequestHandler[]): void {
  app
    .route(path)
    .get(...handlers)
    .all((_req, _res, next) => next(methodNotAllowed(['GET', 'HEAD'])));
}

/** Serves the OpenAPI document and its page. */
function serveDocuments(app: Express, config: GatewayConfig, sessionName: string, limited: RequestHandler): void {
  const { PUBLIC_URL } = config;
  serveGet(app, '/', (_req, res) => res.redirect(302, '/docs'));
  serveGet(app, '/openapi.json', limited, serveDocument(openapi(routes, PUBLIC_URL, sessionName)));
  app.use('/docs', routeIs('/docs'), limited, ...docsPage(PUBLIC_URL));
  serveGet(app, '/docs', docsIndex());
}

function serveHealthPages(app: Express, health: Health): void {
  serveGet(app, '/livez', (_req, res) => sendJson(res, 200, { status: 'alive' }));
  serveGet(app, '/readyz', async (_req, res) => {
    const { status, body } = await readiness(health);
    sendJson(res, status, body);
  });
}

function answerError(log: Logger) {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    const answer = toApiError(error, log, res.locals.requestId);
    Object.assign(gathered(res), answer.more.headers);
    sendJson(res, statusOf[answer.code], errorBody(answer));
  };
}
