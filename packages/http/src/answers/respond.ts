// Writes answers without express, so that no ETag is computed for answers that are never cached.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gathered } from './response-headers.ts';

export function send(res: ServerResponse, status: number, type: string, body: string | Buffer): void {
  const headers = gathered(res);
  const length = Buffer.byteLength(body);
  headers['Content-Type'] = type;
  headers['Content-Length'] = length;
  res.writeHead(status);
  // The byte count equals the character count, so the text is ASCII. Latin-1 writes it in one cheaper step.
  res.end(body, length === body.length ? 'latin1' : 'utf8');
}

export const sendJson = (res: ServerResponse, status: number, body: object): void =>
  sendJsonText(res, status, JSON.stringify(body));

export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  gathered(res)['Cache-Control'] ??= 'no-store';
  send(res, status, 'application/json; charset=utf-8', text);
}

export function sendPage(res: ServerResponse, status: number, page: { body: string; csp: string }): void {
  gathered(res)['Content-Security-Policy'] = page.csp;
  send(res, status, 'text/html; charset=utf-8', page.body);
}

/** Returns the source of a Content-Security-Policy that allows this inline style or script. */
export const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif}main{max-width:36rem;padding:1.5rem}h1{font-size:1.5rem;line-height:1.25}';

/**
 * Returns a page that loads nothing.
 *
 * @param html trusted markup
 * @param script runs in the page
 */
export function plainPage(title: string, html: string, script = ''): { body: string; csp: string } {
  const csp = [
    "default-src 'none'",
    `style-src ${cspHash(STYLE)}`,
    ...(script === '' ? [] : [`script-src ${cspHash(script)}`]),
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ];
  const code = script === '' ? '' : `<script>${script}</script>`;
  return {
    csp: csp.join('; '),
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${html}</p></main>${code}</body></html>`,
  };
}

export function sendText(res: ServerResponse, status: number, body: string): void {
  send(res, status, 'text/plain; charset=utf-8', body);
}

/** Turns a path into a URL of our own and adds to its query. Throws when it would lead to another site. */
export function ownUrl(publicUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('this path leads to another site');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
