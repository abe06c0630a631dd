// Sends a browser to another URL.
import type { ServerResponse } from 'node:http';
import { gathered } from './response-headers.ts';

export class Redirect {
  readonly url: string;

  /** @param url an absolute URL */
  constructor(url: string) {
    this.url = url;
  }
}

/** Turns a path into a URL of our own and adds to its query. Throws when it would lead to another site. */
export function ownUrl(publicUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('this path leads to another site');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Sends the redirect. It is not cached. The next site does not see the referrer, because the headers of every answer
 * forbid it.
 */
export function sendRedirect(res: ServerResponse, { url }: Redirect): void {
  Object.assign(gathered(res), { Location: url, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  res.writeHead(302).end();
}
