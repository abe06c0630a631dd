// The headers of every answer to browsers. They are collected in one record and written together, because setting them
// one by one takes a tenth of the time of a whole get-by-slug.
import type { ServerResponse } from 'node:http';
import type { Express } from 'express';
import { type Gathered, type HttpResponse, writeHead } from '../requests/http-messages.ts';

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

/** Returns the headers collected so far. A header that is set on the response itself takes precedence. */
export const gathered = (res: ServerResponse): Gathered => (res as HttpResponse).locals.headers;

/** Makes every response of the app write its collected headers, as those that never reach express do. */
export function writeGathered({ response }: Express): void {
  response.writeHead = writeHead as typeof response.writeHead;
}
