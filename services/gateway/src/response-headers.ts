// What every answer says to browsers, in one place. Pages replace the policy for their content with one of their own.
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** For what is no page: nothing may be loaded, and nobody may frame it. */
const NO_CONTENT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A year, in seconds. Not for subdomains: each host says it for itself, and one above us is not ours. */
const HSTS = 'max-age=31536000';

/** The headers of every answer, also of those that never reach express. */
export function responseHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': NO_CONTENT,
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': HSTS }),
  };
}

export function setResponseHeaders(headers: Readonly<Record<string, string>>): RequestHandler {
  const pairs = Object.entries(headers);
  return (_req: Request, res: Response, next: NextFunction): void => {
    for (const [name, value] of pairs) res.setHeader(name, value);
    next();
  };
}
