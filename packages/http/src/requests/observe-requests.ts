// Measures and traces every request under the pattern of its route. The pattern is known only after the answer.
import type { Metrics, Tracing } from '@landfall/runtime';
import type { Request, RequestHandler, Response } from 'express';

/** The client left before the answer. No response was sent with this status. */
const CLIENT_LEFT = 499;

/** @param trusts true when the headers of a request come from a proxy of ours: then its trace is continued */
export function observeRequests(metrics: Metrics, tracing: Tracing, trusts: (req: Request) => boolean): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const { method, url } = req;
    tracing.serving({ method, url, headers: trusts(req) ? req.headers : {} }, (served) => {
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
