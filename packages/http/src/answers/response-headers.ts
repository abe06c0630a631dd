// The headers of every answer to browsers. They are collected in one record and written together, because setting them
// one by one takes a tenth of the time of a whole get-by-slug.
import { ServerResponse } from 'node:http';
import type { Express, Response } from 'express';

/** The policy of answers that are not pages: they load nothing, and no page may frame them. */
const NO_CONTENT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** One year. Without subdomains: each host sends it for itself, and a host above us is not ours. */
const HSTS = 'max-age=31536000';

/** The headers of every answer, also of those that never reach express. Pages replace the policy. */
export function responseHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': NO_CONTENT,
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': HSTS }),
  };
}

/** Header names and values. Every file must spell a name in the same way, because names are compared exactly. */
export type Gathered = Record<string, string | number>;

/** Returns the headers collected so far. A header that is set on the response itself takes precedence. */
export const gathered = (res: ServerResponse): Gathered => (res as Response).locals.headers;

export function gather(res: Response, headers: Gathered): void {
  res.locals.headers = headers;
}

/** Makes every response of the app write its collected headers. */
export function writeGathered({ response }: Express): void {
  // Node calls it for each answer, even when no other code does.
  response.writeHead = function writeHead(this: Response, status: number, ...more: unknown[]) {
    const headers: Gathered = this.locals?.headers ?? {};
    const plain = more.length === 0 && this.getHeaderNames().length === 0;
    if (!plain) for (const name in headers) if (!this.hasHeader(name)) this.setHeader(name, headers[name]!);
    return Reflect.apply(ServerResponse.prototype.writeHead, this, [status, ...(plain ? [headers] : more)]);
  } as ServerResponse['writeHead'] as Response['writeHead'];
}
