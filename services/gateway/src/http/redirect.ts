// A reply that sends a browser on.
import type { ServerResponse } from 'node:http';
import { gathered } from './response-headers.ts';

export class Redirect {
  readonly url: string;

  /** @param url absolute */
  constructor(url: string) {
    this.url = url;
  }
}

/** A path of our own as a URL of our own, with what is added to its query. Throws when it would lead elsewhere. */
export function ownUrl(publicUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('this path leads elsewhere');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Nobody keeps it. Whoever is asked next does not read where it came from: that is in the headers of every answer. */
export function sendRedirect(res: ServerResponse, { url }: Redirect): void {
  Object.assign(gathered(res), { Location: url, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  res.writeHead(302).end();
}
