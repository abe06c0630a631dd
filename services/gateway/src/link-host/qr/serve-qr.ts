// Serves the QR code of a link as an image: `/<slug>.qr.svg` and `/<slug>.qr.png` on the hosts of its app.

import { createHash } from 'node:crypto';
import {
  ApiError,
  gathered,
  type HttpRequest,
  type HttpResponse,
  type LimitCounter,
  rateLimited,
  send,
  type WorkGate,
} from '@landfall/http';
import { LRUCache } from 'lru-cache';
import { layoutOf, qrSvg } from './qr-code.ts';
import { logoScaler, type QrLogo, type ScaleLogo } from './qr-logo.ts';
import { type QrFormat, type WantedQr, wantedQr } from './qr-options.ts';
import { logoPlace, qrPng } from './qr-png.ts';

/** The code stays readable for a day after its link has ended. A scan then shows that the link has ended. */
const CACHE_SECONDS = 86_400;
/** Bytes of drawn codes in memory. Drawing takes some milliseconds. */
const MOST_BYTES = 8 * 1_024 * 1_024;
/** Changes when codes are drawn in another way, so that no cache keeps the old drawing. */
const DRAWING = 2;

const TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const satisfies Record<QrFormat, string>;

export interface QrLink {
  slug: string;
  /** The URL of the link. A scan adds `?qr` to it. */
  url: string;
  /** The app's logo, or null. */
  logo: QrLogo | null;
}

/** Returns the slug and the format, when the path segment is that of a QR code. */
export function qrPath(segment: string): { slug: string; format: QrFormat } | null {
  const [, slug, format] = /^(.+)\.qr\.(svg|png)$/.exec(segment) ?? [];
  return slug === undefined ? null : { slug, format: format as QrFormat };
}

export interface QrServing {
  limits: LimitCounter;
  work: WorkGate;
  addressOf(req: HttpRequest): { key: string; site: string | null };
}

export function serveQr({ limits, work, addressOf }: QrServing) {
  const drawn = new LRUCache<string, Buffer>({ maxSize: MOST_BYTES, sizeCalculation: (image) => image.length });
  const scale = logoScaler();

  /** Counts calls for the address of a request. Throws 429 above the limit. */
  async function count(req: HttpRequest, calls: number): Promise<void> {
    const address = addressOf(req);
    const used = await limits.use('qr', address.key, address.site, calls);
    if (!used.allowed) throw rateLimited(used);
  }

  /** @throws ApiError 400 for a wrong option, 429 above the limit, 503 when too many codes wait to be drawn */
  return async (req: HttpRequest, res: HttpResponse, link: QrLink, format: QrFormat): Promise<void> => {
    await count(req, 1);
    const at = req.url.indexOf('?');
    const wanted = wantedQr(format, at < 0 ? '' : req.url.slice(at), link.logo !== null);
    const content = `${link.url}?qr`;
    const tag = tagOf(content, wanted, link.logo);
    const caching = { ETag: tag, 'Cache-Control': `public, max-age=${CACHE_SECONDS}` };
    if (isKnown(req.headers['if-none-match'], tag)) {
      Object.assign(gathered(res), caching);
      res.writeHead(304).end();
      return;
    }
    let image = drawn.get(tag);
    if (image === undefined) {
      if (costOf(wanted) > 1) await count(req, costOf(wanted) - 1);
      image = await work.run(
        () => res.destroyed,
        async () => withOwnMemory(await draw(content, wanted, link.logo, scale)),
      );
      drawn.set(tag, image);
    }
    const headers = Object.assign(gathered(res), caching);
    if (wanted.download)
      headers['Content-Disposition'] = `attachment; filename="${fileName(wanted.name, link.slug)}.${format}"`;
    send(res, 200, TYPES[format], image);
  };
}

/** Returns how many calls a drawing counts as: one for an SVG, and up to nine for the largest PNG with a logo. */
function costOf({ format, size, logo }: WantedQr): number {
  if (format === 'svg' || size === null) return 1;
  return 1 + Math.round((size / 1_024) ** 2) * (logo ? 2 : 1);
}

async function draw(content: string, wanted: WantedQr, logo: QrLogo | null, scale: ScaleLogo): Promise<Buffer> {
  const { format, size, margin, color, background, errorCorrection } = wanted;
  const shown = wanted.logo ? logo : null;
  const layout = layoutOf(content, { margin, errorCorrection, logo: shown !== null });
  if (size !== null && size < layout.whole) throw tooSmall(layout.whole);
  if (format === 'png' && size !== null) {
    const place = logoPlace(layout, size);
    return qrPng(layout, { size, color, background }, shown && place && (await scale(shown, place.width)));
  }
  const image = shown === null ? undefined : `data:image/png;base64,${shown.png.toString('base64')}`;
  const svg = qrSvg(layout, { size: size ?? undefined, color, background, logo: image, isNamed: true });
  return Buffer.from(svg);
}

/** Node makes small buffers as parts of a pool of 64 KB. A part that is kept would keep the whole pool. */
const withOwnMemory = (image: Buffer): Buffer => Buffer.from(new Uint8Array(image).buffer);

const tooSmall = (least: number) =>
  new ApiError('INVALID_REQUEST', [
    { path: 'size', message: `must be at least ${least} for this code and its margin: a pixel for each module` },
  ]);

/** The same bytes have the same tag, whatever their file name. */
function tagOf(content: string, { download: _, name: __, ...wanted }: WantedQr, logo: QrLogo | null): string {
  const facts = [DRAWING, content, wanted, wanted.logo ? logo?.hash : null];
  return `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110, 13.1.2: a weak tag counts as the same, because proxies that compress make tags weak. */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

/** Some browsers read nothing but ASCII in the name of a file. */
function fileName(name: string, slug: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-+|-+$/g, '');
  return [plain, slug.replace(/[^\w-]/g, '_')].filter((part) => part !== '').join('-');
}
