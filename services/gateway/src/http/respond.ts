// Writes answers without express, so that no ETag is computed for answers that are never cached.
import type { ServerResponse } from 'node:http';
import { gathered } from './response-headers.ts';

export function send(res: ServerResponse, status: number, type: string, body: string): void {
  const headers = gathered(res);
  const length = Buffer.byteLength(body);
  headers['Content-Type'] = type;
  headers['Content-Length'] = length;
  res.writeHead(status);
  // The byte count equals the character count, so the text is ASCII. Latin-1 writes it in one cheaper step.
  res.end(body, length === body.length ? 'latin1' : 'utf8');
}

export function sendJson(res: ServerResponse, status: number, body: object): void {
  gathered(res)['Cache-Control'] ??= 'no-store';
  send(res, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

/** @param csp the page's Content-Security-Policy */
export function sendPage(res: ServerResponse, status: number, page: { body: string; csp: string }): void {
  gathered(res)['Content-Security-Policy'] = page.csp;
  send(res, status, 'text/html; charset=utf-8', page.body);
}

export function sendText(res: ServerResponse, status: number, body: string): void {
  send(res, status, 'text/plain; charset=utf-8', body);
}
