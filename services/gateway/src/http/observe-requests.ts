// Every request is measured and traced under the pattern of its route, which is known only when it is answered.
import type { Metrics, Tracing } from '@landfall/runtime';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** The client left before it was answered; nothing was sent with this status. */
const CLIENT_LEFT = 499;

export function observeRequests(metrics: Metrics, tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    tracing.serving(req, (served) => {
      // Comes after every answer, and when the client leaves without one.
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

/** Says which route answers, where express does not know: in middleware. */
export function setRoute(res: Response, route: string): void {
  res.locals.route = route;
}

/** Middleware that says so. */
export const routeIs =
  (route: string): RequestHandler =>
  (_req: Request, res: Response, next: NextFunction) => {
    setRoute(res, route);
    next();
  };

const routeOf = (req: Request, res: Response): string => req.route?.path ?? res.locals.route ?? 'other';
