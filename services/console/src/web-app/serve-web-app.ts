// Serves the web app under the host of PUBLIC_URL. Its files have their hash in their name, and never change. Only
// index.html is made for each answer, because it contains a nonce of the answer's policy.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gathered, hostOf, plainPage, send, sendPage, setRoute } from '@landfall/http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';

/** The built web app: where its files are, and whether they are there yet. */
export type WebApp = {
  find(): { state: 'built'; folder: string } | { state: 'building' | 'failed' };
};

/** Paths of the API. They never get a page, so that a wrong path is answered with an error. */
const NOT_OURS = /^\/(?:api|\.well-known)(?:\/|$)|^\/(?:openapi\.json|llms\.txt|mcp|robots\.txt|metrics|livez|readyz)$/;
/** A page of `/docs` as Markdown, for programs. No name has a dot, so none leads out of the folder. */
const GUIDE = /^\/docs\/(?:[a-z-]+\/){0,3}[A-Za-z\d-]+\.md$/;
/** A packed client, for npm. Its name says its version, and an upgrade may change what it holds. */
const CLIENT = /^\/clients\/landfall-[a-z-]+-\d+\.\d+\.\d+\.tgz$/;
const NONCE = /__NONCE__/g;

/** The page of a share, alone and in a frame. The id in the path of a frame opens nothing: it names who may hold it. */
const SHARE = /^\/(?:share|embed\/([\da-f-]{36}))$/;

/** Returns the sites that may hold the share with this id in a frame. */
export type FramedBy = (shareId: string) => Promise<readonly string[]>;

/** Pages before sign-in, and pages that are for everyone. */
const OUTSIDE = /^\/(?:sign-in|login|setup|join|reset|forgotten)(?:\/|$)/;
const FOR_ALL = /^\/(?:docs|try)(?:\/|$)/;

/** Returns the kind of frame that index.html shows until the app has come: as the page will have it. A guess for strangers. */
function frameOf({ path, headers }: Request): 'app' | 'bare' | 'outside' {
  if (OUTSIDE.test(path)) return 'outside';
  if (headers.cookie !== undefined) return 'app';
  return FOR_ALL.test(path) ? 'bare' : 'outside';
}

interface Files {
  folder: string;
  index: string;
  share: string;
  assets: ReadonlyMap<string, Buffer>;
}

/** Passes on every request that is not for the web app: of other hosts, of programs, and for unknown files. */
export function serveWebApp(webApp: WebApp, publicUrl: string, framedBy: FramedBy): RequestHandler {
  const { host: ownHost, origin } = new URL(publicUrl);
  let files: Files | undefined;

  function filesIn(folder: string): Files {
    if (files?.folder === folder) return files;
    const index = readFileSync(path.join(folder, 'index.html'), 'utf8');
    const place = path.join(folder, 'assets');
    // A compressed copy is under the name of its own file.
    const assets = new Map(readdirSync(place).map((name) => [name, readFileSync(path.join(place, name))]));
    const share = readFileSync(path.join(folder, 'share.html'), 'utf8');
    files = { folder, index, share, assets };
    return files;
  }

  function sendIndex(req: Request, res: Response, { index }: Files): void {
    const nonce = randomBytes(16).toString('base64');
    gathered(res)['Cache-Control'] = 'no-cache';
    // A page that opened the web app, or that it opens, gets no hold of its window.
    gathered(res)['Cross-Origin-Opener-Policy'] = 'same-origin';
    const body = index.replace(NONCE, nonce).replace('__FRAME__', frameOf(req));
    sendPage(res, 200, { body, csp: policy(nonce) });
  }

  /** Whoever has the address sees it, so no cache, no search engine and no other site gets to know it. */
  async function sendShare(res: Response, { share }: Files, shareId: string | undefined): Promise<void> {
    const frames = shareId === undefined ? [] : await framedBy(shareId);
    const nonce = randomBytes(16).toString('base64');
    gathered(res)['Cache-Control'] = 'no-store';
    gathered(res)['X-Robots-Tag'] = 'noindex, nofollow';
    sendPage(res, 200, { body: share.replace(NONCE, nonce), csp: policy(nonce, frames) });
  }

  return (req: Request, res: Response, next: NextFunction): void => {
    const share = SHARE.exec(req.path);
    const isAsset = req.path.startsWith(ASSETS);
    const type = typeOfKept(req.path);
    if (!isRead(req) || NOT_OURS.test(req.path) || !(isAsset || type || wantsPage(req))) {
      next();
      return;
    }
    setRoute(res, 'web-app');
    const found = webApp.find();
    // A session belongs to one host, so the app works there alone.
    if (hostOf(req).toLowerCase() !== ownHost) res.redirect(302, `${origin}${req.originalUrl}`);
    else if (found.state !== 'built') sendWaiting(res, found.state);
    else if (type) sendKept(res, type, path.join(found.folder, req.path)).catch(() => next());
    else if (share) sendShare(res, filesIn(found.folder), share[1]).catch(next);
    else if (!isAsset) sendIndex(req, res, filesIn(found.folder));
    else if (!sendAsset(req, res, filesIn(found.folder).assets, req.path.slice(ASSETS.length))) next();
  };
}

/** Returns the type of a file that keeps its name in the next build. */
function typeOfKept(path: string): string | undefined {
  if (GUIDE.test(path)) return 'text/markdown; charset=utf-8';
  return CLIENT.test(path) ? 'application/gzip' : undefined;
}

/** Rejects when there is no such file. */
async function sendKept(res: Response, type: string, file: string): Promise<void> {
  const body = await readFile(file);
  gathered(res)['Cache-Control'] = 'no-cache';
  send(res, 200, type, body);
}

const ASSETS = '/assets/';
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Browsers name HTML. Programs accept anything, and get the error of the API. */
const wantsPage = (req: Request): boolean => (req.headers.accept ?? '').includes('text/html');

const policy = (nonce: string, frames: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // Pages of links, which say themselves that they are in a sandbox.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames.join(' ') || "'none'"}`,
  ].join('; ');

const AGAIN_SECONDS = 1;
function sendWaiting(res: Response, state: keyof typeof waiting): void {
  const headers = gathered(res);
  headers['Cache-Control'] = 'no-store';
  headers['Retry-After'] = AGAIN_SECONDS;
  sendPage(res, 503, waiting[state]);
}

const waiting = {
  building: plainPage(
    'Landfall is building its web app',
    'This takes up to a minute at the first start, and some seconds after an update. The page opens by itself. The API answers already.',
    // The header Refresh would only scroll: the address of the set-up has a fragment.
    `setTimeout(() => location.reload(), ${AGAIN_SECONDS * 1000})`,
  ),
  failed: plainPage('The web app could not be built', 'The log says why. The API works.'),
};

/** The endings of compressed copies, the smallest first, with their names in HTTP. */
const COMPRESSED = { '.br': 'br', '.gz': 'gzip' };

/** Sends a file whose name contains its hash. Returns false when there is none. */
function sendAsset(req: Request, res: Response, assets: ReadonlyMap<string, Buffer>, name: string): boolean {
  const plain = assets.get(name);
  if (!plain) return false;
  const accepted = new Negotiator(req).encodings();
  const small = Object.entries(COMPRESSED).find(([end, coding]) => accepted.includes(coding) && assets.has(name + end));
  const body = small ? assets.get(name + small[0])! : plain;
  Object.assign(gathered(res), {
    'Cache-Control': 'public,max-age=31536000,immutable',
    Vary: 'Accept-Encoding',
    ...(small && { 'Content-Encoding': small[1] }),
  });
  send(res, 200, res.type(path.extname(name)).get('Content-Type')!, body);
  return true;
}
