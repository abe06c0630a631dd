// The common steps of all requests of a process: before the parts that answer, and after them.
import type { IncomingMessage } from 'node:http';
import { newId } from '@landfall/contracts';
import { type Health, type Logger, type Metrics, readiness, type Tracing } from '@landfall/runtime';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import ipaddr from 'ipaddr.js';
import { ApiError, errorBody, methodNotAllowed, toApiError } from './answers/errors.ts';
import { send, sendJson } from './answers/respond.ts';
import { gathered, responseHeaders, writeGathered } from './answers/response-headers.ts';
import type { HttpConfig } from './config.ts';
import {
  type Gathered,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type Next,
  parseQuery,
} from './requests/http-messages.ts';
import { settleHost } from './requests/request-host.ts';

export interface AppOptions {
  config: HttpConfig;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing: Tracing;
  /** True when the process drains: every answer closes its connection. */
  stopping(): boolean;
  isFromProxy(req: HttpRequest): boolean;
  /** Answers before express, or calls `next`. */
  first?: HttpHandler | undefined;
  /** Adds what answers, in its order. */
  mount(app: Express): void;
}

/** Returns what answers all requests: the part that comes first, and express for what that leaves. */
export function createApp(options: AppOptions): (req: HttpRequest, res: HttpResponse) => void {
  const { config, log, health, metrics, tracing, stopping, isFromProxy, first } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  writeGathered(app);
  app.set('query parser', parseQuery);
  options.mount(app);
  serveHealthPages(app, health);
  // With METRICS_PORT the metrics have their own port. Then the public port does not serve them.
  if (config.METRICS_PORT === undefined) serveGet(app, '/metrics', serveMetrics(metrics));
  const failed = answerError(log);
  app.use((_req, _res, next) => next(new ApiError('NOT_FOUND')));
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => failed(error, req, res));

  const observe = observeRequests(metrics, tracing, isFromProxy);
  const identify = identifyRequests(config, responseHeaders(config.PUBLIC_URL), stopping, isFromProxy);
  return (req, res) =>
    observe(req, res, () => {
      const next: Next = (error) => (error === undefined ? app(req as Request, res as never) : failed(error, req, res));
      try {
        identify(req, res);
        if (first === undefined) next();
        else first(req, res, next)?.catch(next);
      } catch (error) {
        next(error);
      }
    });
}

/** The client left before the answer. No response was sent with this status. */
const CLIENT_LEFT = 499;

/** Measures and traces every request under the pattern of its route, known only after the answer. */
function observeRequests(metrics: Metrics, tracing: Tracing, isFromProxy: (req: HttpRequest) => boolean) {
  return (req: HttpRequest, res: HttpResponse, serve: () => void): void => {
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
      serve();
    });
  };
}

/** Sets the route that answers, where express does not know it. */
export function setRoute(res: HttpResponse, route: string): void {
  res.locals.route = route;
}

const routeOf = (req: HttpRequest & { route?: { path: string } }, res: HttpResponse): string =>
  req.route?.path ?? res.locals.route ?? 'other';

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/**
 * Gives each request an id. Accepts repeated slashes, which SDKs send whose base URL ends with one. Throws when the
 * request does not name one host.
 */
function identifyRequests(
  config: HttpConfig,
  ofEveryAnswer: Readonly<Gathered>,
  stopping: () => boolean,
  isFromProxy: (req: HttpRequest) => boolean,
) {
  const ownHost = new URL(config.PUBLIC_URL).host;
  return (req: HttpRequest, res: HttpResponse): void => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) && isFromProxy(req) ? given : newId();
    const headers: Gathered = { 'x-request-id': requestId, ...ofEveryAnswer };
    if (stopping()) headers.Connection = 'close';
    res.locals = { requestId, headers };
    const wrongHost = settleHost(req, ownHost);
    if (wrongHost !== null) throw new ApiError('INVALID_REQUEST', [{ path: 'Host', message: wrongHost }]);
    const pathEnd = req.url.indexOf('?');
    const path = pathEnd < 0 ? req.url : req.url.slice(0, pathEnd);
    if (path.includes('//')) req.url = path.replace(/\/{2,}/g, '/') + (pathEnd < 0 ? '' : req.url.slice(pathEnd));
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
  return (error: unknown, req: HttpRequest, res: HttpResponse): void => {
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    const answer = toApiError(error, log, res.locals.requestId);
    Object.assign(gathered(res), answer.more.headers);
    sendJson(res, answer.status, errorBody(answer));
  };
}
