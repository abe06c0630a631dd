// Serves the documents of the API and of the public topics. They are the same for all, and larger than any answer of the
// API. So each is made, compressed and hashed once, and a client with a copy gets a short 304.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import {
  type ClientAddress,
  type LimitCounter,
  type LimitName,
  plainPage,
  rateLimited,
  sendPage,
  useOfAddress,
} from '@landfall/http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Seconds for which a copy is valid without a new request. An upgrade of the gateways changes the document. */
const FRESH_SECONDS = 300;
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export function serveDocument(make: () => object | Promise<object>): RequestHandler {
  const compressed: Partial<Record<'br' | 'gzip', Promise<Buffer>>> = {};
  let made: Promise<{ plain: Buffer; etag: string }> | undefined;
  async function makeOnce() {
    const plain = Buffer.from(JSON.stringify(await make()));
    return { plain, etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` };
  }
  return async (req: Request, res: Response): Promise<void> => {
    made ??= makeOnce();
    const { plain, etag } = await made;
    res.setHeader('Cache-Control', `public, max-age=${FRESH_SECONDS}`);
    res.setHeader('ETag', etag);
    res.setHeader('Vary', 'Accept-Encoding');
    if (req.fresh) return void res.status(304).end();
    // Among encodings that the client accepts equally, we choose.
    const encoding = (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name));
    if (encoding) res.setHeader('Content-Encoding', encoding);
    // The first request waits for the compression, a few tenths of a second. The start does not.
    if (encoding) compressed[encoding] ??= compress[encoding](plain);
    const body = (encoding && (await compressed[encoding])) ?? plain;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', body.length);
    res.end(body);
  };
}

const page = plainPage(
  'Landfall',
  'The API is described by <a href="/openapi.json">/openapi.json</a>. The web app of Landfall shows it at this address, with the guides.',
);

/** Tells a program, or a browser at a gateway without the web app, where the description of the API is. */
export const docsPage: RequestHandler = (_req, res) => sendPage(res, 200, page);

export function limitedTo(
  name: LimitName,
  limits: LimitCounter,
  addressOf: (req: Request) => ClientAddress,
): RequestHandler {
  return async (req: Request, _res: Response, next: NextFunction): Promise<void> => {
    const used = await useOfAddress(limits, name, addressOf(req));
    next(used.allowed ? undefined : rateLimited(used));
  };
}
