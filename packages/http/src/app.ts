// The express app of a process: what every request meets before and after the parts that answer.
import { randomUUID } from 'node:crypto';
import { type Health, type Logger, type Metrics, readiness, type Tracing } from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, errorBody, methodNotAllowed, toApiError } from './answers/errors.ts';
import { sendJson } from './answers/respond.ts';
import { type Gathered, gather, gathered, responseHeaders, writeGathered } from './answers/response-headers.ts';
import type { HttpConfig } from './config.ts';
import { observeRequests } from './requests/observe-requests.ts';
import { settleHost } from './requests/request-host.ts';
import { isFromThisMachine, serveMetrics } from './serve-metrics.ts';

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

export function createApp({
  config,
  log,
  health,
  metrics,
  tracing,
  stopping,
  isFromProxy,
  mount,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  writeGathered(app);
  // The last value of a repeated parameter counts.
  app.set('query parser', (query: string) => Object.fromEntries(new URLSearchParams(query)));
  app.use(observeRequests(metrics, tracing, isFromProxy));
  app.use(identify(config, responseHeaders(config.PUBLIC_URL), stopping, isFromProxy));
  mount(app);
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
