// The express app of a process: what every request meets before and after the parts that answer.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Health, type Logger, type Metrics, readiness, type Tracing } from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import ipaddr from 'ipaddr.js';
import { ApiError, errorBody, methodNotAllowed, toApiError } from './answers/errors.ts';
import { send, sendJson } from './answers/respond.ts';
import { type Gathered, gather, gathered, responseHeaders, writeGathered } from './answers/response-headers.ts';
import type { HttpConfig } from './config.ts';
import { settleHost } from './requests/request-host.ts';

export interface AppOptions {
  config: HttpConfig;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing: Tracing;
  /** True when the process drains: every answer closes its connection. */
  stopping(): boolean;
  isFromProxy(req: Request): boolean;
  /** Adds what answers, in its order. */
  mount(app: Express): void;
}

export function createApp(options: AppOptions): Express {
  const { config, log, health, metrics, tracing, stopping, isFromProxy } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  writeGathered(app);
  // The last value of a repeated parameter counts.
  app.set('query parser', (query: string) => Object.fromEntries(new URLSearchParams(query)));
  app.use(observeRequests(metrics, tracing, isFromProxy));
  app.use(identify(config, responseHeaders(config.PUBLIC_URL), stopping, isFromProxy));
  options.mount(app);
  serveHealthPages(app, health);
  // With METRICS_PORT the metrics have their own port. Then the public port does not serve them.
  if (config.METRICS_PORT === undefined) serveGet(app, '/metrics', serveMetrics(metrics));
  app.use((_req, _res, next) => next(new ApiError('NOT_FOUND')));
  app.use(answerError(log));
  return app;
}

/** The client left before the answer. No response was sent with this status. */
const CLIENT_LEFT = 499;

/** Measures and traces every request under the pattern of its route, known only after the answer. */
function observeRequests(metrics: Metrics, tracing: Tracing, isFromProxy: (req: Request) => boolean): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const { method, url } = req;
    tracing.serving({ method, url, headers: isFromProxy(req) ? req.headers : {} }, (served) => {
      // The event comes after every answer, and when the client leaves without one.
      res.once('close', () => {
        const route = routeOf(req, res);
        const status = res.writableFinished ? res.statusCode : CLIENT_LEFT;
        metrics.requested(route, req.method, status, performance.now() - startedAt);
        served(route, status);
      });
      next();
    });
  };
}

/** Sets the route that answers, for middleware, where express does not know it. */
export function setRoute(res: Response, route: string): void {
  res.locals.route = route;
}

const routeOf = (req: Request, res: Response): string => req.route?.path ?? res.locals.route ?? 'other';

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Gives each request an id. Accepts repeated slashes, which SDKs send whose base URL ends with one. */
function identify(
  config: HttpConfig,
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
export function serveGet(app: Express, path: string, ...handlers: RequestHandler[]): void {
  app
    .route(path)
    .get(...handlers)
    .all((_req, _res, next) => next(methodNotAllowed(['GET', 'HEAD'])));
}

function serveHealthPages(app: Express, health: Health): void {
  serveGet(app, '/livez', (_req, res) => sendJson(res, 200, { status: 'alive' }));
  serveGet(app, '/readyz', async (req, res) => {
    const { status, body } = await readiness(health, isFromThisMachine(req) ? 'all' : 'no-details');
    sendJson(res, status, body);
  });
}

/**
 * Serves `/metrics` on the public port, only to requests from this machine. Only such a request is certainly no
 * stranger's: behind Docker's forwarded ports and Kubernetes' services all clients have private addresses. Other readers
 * use METRICS_PORT.
 */
const serveMetrics =
  (metrics: Metrics): RequestHandler =>
  async (req, res) => {
    if (!isFromThisMachine(req)) throw new ApiError('NOT_FOUND');
    gathered(res)['Cache-Control'] = 'no-store';
    send(res, 200, metrics.contentType, await metrics.text());
  };

/** Headers that proxies add. A request with one of them comes from elsewhere. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const peer = socket.remoteAddress?.split('%')[0] ?? '';
  return (
    ipaddr.isValid(peer) &&
    ipaddr.process(peer).range() === 'loopback' &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
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
