// The express app of the gateway: the order in which a request meets its middleware, link host, routes and pages.
import { randomUUID } from 'node:crypto';
import { type Health, type Logger, type Metrics, readiness, type Tracing } from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { KeyUses } from './access/key-use.ts';
import { callerUses } from './access/key-use.ts';
import { whoCalls } from './access/principal.ts';
import { addressFound, type ClientAddress, clientAddress, trustsPeer } from './addresses/client-address.ts';
import { trustedPeers } from './addresses/forwarded-for.ts';
import type { PeopleAddresses } from './addresses/people-addresses.ts';
import type { UntrustedProxies } from './addresses/untrusted-proxies.ts';
import type { GatewayConfig } from './config.ts';
import type { Countries } from './country/country-of.ts';
import { ApiError, errorBody, methodNotAllowed, toApiError } from './http/errors.ts';
import { observeRequests } from './http/observe-requests.ts';
import { settleHost } from './http/request-host.ts';
import { sendJson } from './http/respond.ts';
import { type Gathered, gather, gathered, responseHeaders, writeGathered } from './http/response-headers.ts';
import type { LimitCounter } from './limits/limits.ts';
import { memoryCounter } from './limits/memory-counter.ts';
import type { TellExit } from './link-host/exits/tell-exits.ts';
import { serveLinkHost } from './link-host/serve-link-host.ts';
import type { Steps } from './link-host/steps/steps.ts';
import type { TapTeller } from './link-host/tell-tap.ts';
import { serveLogo } from './logos/serve-logo.ts';
import { openapi } from './openapi/openapi.ts';
import { docsPage, limitDocuments, serveDocument } from './openapi/serve-documents.ts';
import { routeGroups, routes } from './routes/index.ts';
import { authenticator } from './routing/authenticate.ts';
import type { GatewayParts } from './routing/route.ts';
import { type Serving, serveRoutes } from './routing/serve-route.ts';
import { isFromThisMachine, serveMetrics } from './serve-metrics.ts';
import { serveSimulatedApp } from './simulated-app/serve-simulated-app.ts';
import { serveWebApp } from './web-app/serve-web-app.ts';
import type { WebApp } from './web-app/web-app.ts';

export interface AppOptions {
  parts: GatewayParts;
  limits: LimitCounter;
  taps: TapTeller;
  steps: Steps;
  tellExit: TellExit;
  keyUses: KeyUses;
  people: PeopleAddresses;
  proxies: UntrustedProxies;
  countries: Countries;
  health: Health;
  metrics: Metrics;
  tracing: Tracing;
  /** The web app. Null: this gateway serves the API alone. */
  webApp: WebApp | null;
  /** True when the gateway drains: every answer closes its connection. */
  stopping(): boolean;
}

/** The maximum number of addresses whose calls with unknown keys are counted. The least recently seen go first. */
const MAX_UNMET = 10_000;

export function createApp(options: AppOptions): Express {
  const {
    parts,
    limits,
    taps,
    steps,
    tellExit,
    keyUses,
    people,
    proxies,
    countries,
    health,
    metrics,
    tracing,
    webApp,
  } = options;
  const { bus, config, cookies, lookups, log, now } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  writeGathered(app);
  const trusts = trustedPeers(config.TRUST_PROXY);
  // The last value of a repeated parameter counts.
  app.set('query parser', (query: string) => Object.fromEntries(new URLSearchParams(query)));
  const known = { lookups, cookies, now, demoTeam: config.DEMO_TEAM };
  const isFromProxy = (req: Request) => trustsPeer(req, trusts);
  const addressOf = (req: Request) => clientAddress(req, trusts, proxies);
  const sawPerson = (req: Request, { key }: ClientAddress) =>
    people.saw(key, req.headers['x-forwarded-for'] !== undefined, Date.now());
  const serving: Serving = {
    parts,
    limits,
    unmet: memoryCounter(config.RATE_LIMITS, MAX_UNMET),
    addressOf,
    probedAddressOf: (req) => clientAddress(req, trusts),
    addressFound: (req) => addressFound(req, trusts),
    countryOf: (req, address) => countries.of(req, address),
    sawPerson,
    keys: authenticator(lookups, ['x-service-sdk-key', ...config.SDK_KEY_HEADERS], keyUses.used, now),
    whoCalls: whoCalls({ ...known, used: callerUses(bus, log, now) }),
    whoStillCalls: whoCalls({ ...known, used: { session() {}, token() {} } }),
  };
  const simulatedApp = serveSimulatedApp(serving);
  const linkHost = serveLinkHost({
    parts,
    limits,
    taps,
    steps,
    addressOf,
    countries,
    sawPerson,
    tellExit,
    simulatedApp,
  });

  app.use(observeRequests(metrics, tracing, isFromProxy));
  app.use(identify(config, responseHeaders(config.PUBLIC_URL), options.stopping, isFromProxy));
  app.use(linkHost.tapOrPass);
  serveRoutes(app, routes, serving);
  serveGet(app, '/.well-known/apple-app-site-association', linkHost.appleAppSiteAssociation);
  serveGet(app, '/.well-known/assetlinks.json', linkHost.assetLinks);
  serveGet(app, '/robots.txt', linkHost.robots);
  serveGet(app, '/logos/:file', serveLogo(lookups));
  if (webApp) app.use(serveWebApp(webApp, config.PUBLIC_URL));
  serveDocuments(app, config, cookies.sessionName, limitDocuments(limits, addressOf));
  serveHealthPages(app, health);
  // With METRICS_PORT the metrics have their own port. Then the public port does not serve them.
  if (config.METRICS_PORT === undefined) serveGet(app, '/metrics', serveMetrics(metrics));
  app.use((_req, _res, next) => next(new ApiError('NOT_FOUND')));
  app.use(answerError(log));

  return app;
}

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/**
 * Gives each request an id, or takes the one of a trusted proxy. Accepts repeated slashes, because SDKs whose base URL
 * ends with a slash send `//api/…`.
 */
function identify(
  config: GatewayConfig,
  ofEveryAnswer: Readonly<Gathered>,
  stopping: () => boolean,
  isFromProxy: (req: Request) => boolean,
) {
  const ownHost = new URL(config.PUBLIC_URL).host;
  return (req: Request, res: Response, next: NextFunction): void => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) && isFromProxy(req) ? given : randomUUID();
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

/** Serves the documents for machines. Browsers get the web app at `/docs`, when there is one. */
function serveDocuments(app: Express, config: GatewayConfig, sessionName: string, limited: RequestHandler): void {
  const { PUBLIC_URL } = config;
  serveGet(app, '/', (_req, res) => res.redirect(302, '/docs'));
  serveGet(
    app,
    '/openapi.json',
    limited,
    serveDocument(() => openapi(routeGroups, PUBLIC_URL, sessionName)),
  );
  // It is rare, and what it needs of Kafka's adapter takes memory.
  const topics = async () => (await import('./openapi/asyncapi.ts')).asyncapi();
  serveGet(app, '/asyncapi.json', limited, serveDocument(topics));
  serveGet(app, '/docs', limited, docsPage);
}

function serveHealthPages(app: Express, health: Health): void {
  serveGet(app, '/livez', (_req, res) => sendJson(res, 200, { status: 'alive' }));
  serveGet(app, '/readyz', async (req, res) => {
    const { status, body } = await readiness(health, isFromThisMachine(req) ? 'all' : 'no-details');
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
    sendJson(res, answer.status, errorBody(answer));
  };
}
