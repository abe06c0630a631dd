// Checks an uploaded logo by decoding it, and encodes it anew. Nothing of the uploaded file is kept: no script, no
// metadata, no second frame.
import { ApiError } from '@landfall/http';
import type { Sharp } from 'sharp';

export const LOGO_BYTES = 1_048_576;
/** Width and height of the stored logo in pixels. Pages show a quarter of it, so that it is sharp on every screen. */
export const LOGO_PIXELS = 256;
/** The limits of the uploaded image in pixels. A small file may hold a very large image. */
const MAX_PIXELS = 16_000_000;
const MIN_SIDE = 32;
/** Seconds for the work on one image. */
const MAX_SECONDS = 5;

/** The first bytes of each format. libvips reads many more formats, and SVG is a program. */
const FORMATS: Record<string, (start: string) => boolean> = {
  png: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (start) => start.startsWith('\xff\xd8\xff'),
  webp: (start) => start.startsWith('RIFF') && start.endsWith('WEBP'),
};

/** Returns a square PNG, with transparent bars where the image is not square. */
export async function readLogo(uploaded: Buffer): Promise<Buffer> {
  if (uploaded.length > LOGO_BYTES) throw fault('must be at most 1 MB');
  const start = uploaded.subarray(0, 12).toString('latin1');
  const format = Object.keys(FORMATS).find((name) => FORMATS[name]?.(start));
  if (format === undefined) throw fault('must be a PNG, a JPEG or a WebP image');
  // It is loaded with the first logo, because most gateways never need its 30 MB.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  try {
    const image = sharp(uploaded, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: false });
    await assertSuitable(image, format);
    return await image
      .autoOrient()
      .resize(LOGO_PIXELS, LOGO_PIXELS, { fit: 'contain', background: '#00000000' })
      .toColorspace('srgb')
      .png({ palette: true, compressionLevel: 9 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof Error && /pixel limit/.test(error.message)) throw tooLarge();
    throw fault('cannot be decoded: the file is damaged');
  }
}

async function assertSuitable(image: Sharp, format: string): Promise<void> {
  const { format: found, width, height, pages = 1 } = await image.metadata();
  if (found !== format) throw fault('must be a PNG, a JPEG or a WebP image');
  if (pages > 1) throw fault('must not be animated');
  if (width * height > MAX_PIXELS) throw tooLarge();
  if (Math.min(width, height) < MIN_SIDE) throw fault(`must be at least ${MIN_SIDE} pixels wide and high`);
}

const fault = (message: string) => new ApiError('INVALID_REQUEST', [{ path: 'image', message }]);
const tooLarge = () => fault(`must have at most ${MAX_PIXELS / 1_000_000} million pixels`);
