// Sends a browser to another URL.
import type { ServerResponse } from 'node:http';
import { Reply } from './respond.ts';
import { gathered } from './response-headers.ts';

export class Redirect extends Reply {
  readonly url: string;

  /** @param url an absolute URL */
  constructor(url: string) {
    super();
    this.url = url;
  }

  /**
   * Sends the redirect. It is not cached. The next site does not see the referrer, because the headers of every answer
   * forbid it.
   */
  send(res: ServerResponse): void {
    Object.assign(gathered(res), { Location: this.url, 'Cache-Control': 'no-store', 'Content-Length': 0 });
    res.writeHead(302).end();
  }
}

/** Turns a path into a URL of our own and adds to its query. Throws when it would lead to another site. */
export function ownUrl(publicUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('this path leads to another site');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
