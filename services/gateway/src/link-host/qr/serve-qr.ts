// Serves the QR code of a link as an image: `/<slug>.qr.svg` and `/<slug>.qr.png` on the hosts of its app.
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../http/errors.ts';
import { sendBytes } from '../../http/respond.ts';
import { gathered } from '../../http/response-headers.ts';
import type { LimitCounter } from '../../limits/limits.ts';
import { qrSvg } from './qr-code.ts';
import { type QrFormat, type WantedQr, wantedQr } from './qr-options.ts';

/** The code stays readable for a day after its link has ended. A scan then shows that the link has ended. */
const CACHE_SECONDS = 86_400;
/** Bytes of drawn codes in memory. Drawing a PNG takes some milliseconds. */
const MOST_BYTES = 8 * 1_024 * 1_024;
/** Changes when codes are drawn in another way, so that no cache keeps the old drawing. */
const DRAWING = 1;

const TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const satisfies Record<QrFormat, string>;

export interface QrLink {
  slug: string;
  /** The URL of the link. A scan adds `?qr` to it. */
  url: string;
  /** A `data:` URL of the app's logo, or null. */
  logo: string | null;
}

/** Returns the slug and the format, when the path segment is that of a QR code. */
export function qrPath(segment: string): { slug: string; format: QrFormat } | null {
  const [, slug, format] = /^(.+)\.qr\.(svg|png)$/.exec(segment) ?? [];
  return slug === undefined ? null : { slug, format: format as QrFormat };
}

export interface QrServing {
  limits: LimitCounter;
  addressOf(req: Request): { key: string; site: string | null };
}

export function serveQr({ limits, addressOf }: QrServing) {
  const drawn = new LRUCache<string, Buffer>({ maxSize: MOST_BYTES, sizeCalculation: (image) => image.length });

  /** @throws ApiError 400 for a wrong option, 429 above the limit */
  return async (req: Request, res: Response, link: QrLink, format: QrFormat): Promise<void> => {
    const address = addressOf(req);
    const used = await limits.use('qr', address.key, address.site);
    if (!used.allowed)
      throw new ApiError('RATE_LIMITED', undefined, { headers: { 'Retry-After': String(used.resetSeconds) } });
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
    const image = drawn.get(tag) ?? (await draw(content, wanted, link.logo));
    drawn.set(tag, image);
    const headers = Object.assign(gathered(res), caching);
    if (wanted.download) headers['Content-Disposition'] = `attachment; filename="${fileName(link.slug)}.${format}"`;
    sendBytes(res, 200, TYPES[format], image);
  };
}

async function draw(content: string, wanted: WantedQr, logo: string | null): Promise<Buffer> {
  const { format, size, margin, color, background, errorCorrection } = wanted;
  const svg = qrSvg(content, {
    size: size ?? undefined,
    margin,
    color,
    background,
    logo: wanted.logo && logo !== null ? logo : undefined,
    errorCorrection: errorCorrection ?? undefined,
    title: 'QR code',
  });
  if (format === 'svg') return Buffer.from(svg);
  // Loaded with the first PNG: most gateways never draw one.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png({ palette: !wanted.logo, compressionLevel: 9 }).toBuffer();
}

/** The same bytes have the same tag, whatever their file name. */
function tagOf(content: string, { download: _, ...wanted }: WantedQr, logo: string | null): string {
  const facts = [DRAWING, content, wanted, wanted.logo ? logo : null];
  return `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110, 13.1.2: a weak tag counts as the same, because proxies that compress make tags weak. */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

const fileName = (slug: string): string => slug.replace(/[^\w-]/g, '_');
