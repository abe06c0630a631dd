// Scales the logo of an app for a QR code, with few enough colours for the palette of a PNG.
import { LRUCache } from 'lru-cache';

/** Red, green, blue and alpha, each from 0 to 255. */
type Color = [number, number, number, number];

/** A square image. */
export interface LogoPixels {
  colors: Color[];
  /** One byte for each pixel: {@link FIRST_INDEX} and up, in the order of `colors`. */
  indexes: Uint8Array;
}

/** The palette begins with the shades of the code. */
export const FIRST_INDEX = 16;
const MOST_COLORS = 256 - FIRST_INDEX;

export interface QrLogo {
  hash: string;
  png: Buffer;
}

/** Bytes of scaled logos in memory. */
const MOST_BYTES = 2 * 1_024 * 1_024;

export type ScaleLogo = (logo: QrLogo, width: number) => Promise<LogoPixels>;

/** Returns the function that scales, with a cache: scaling takes some milliseconds. */
export function logoScaler(): ScaleLogo {
  const scaled = new LRUCache<string, LogoPixels>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ indexes }) => indexes.length + 4_096,
  });
  return async (logo, width) => {
    const key = `${logo.hash} ${width}`;
    const pixels = scaled.get(key) ?? (await scale(logo.png, width));
    scaled.set(key, pixels);
    return pixels;
  };
}

async function scale(png: Buffer, width: number): Promise<LogoPixels> {
  // Loaded with the first logo: most gateways never draw one.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const few = await sharp(png).resize(width, width).png({ palette: true, compressionLevel: 1 }).toBuffer();
  const rgba = await sharp(few).ensureAlpha().raw().toBuffer();
  const known = new Map<number, number>();
  const colors: LogoPixels['colors'] = [];
  const indexes = new Uint8Array(width * width);
  for (let at = 0; at < indexes.length; at++) {
    const value = rgba.readUInt32BE(at * 4);
    let color = known.get(value);
    if (color === undefined) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at * 4, at * 4 + 4);
      const one: Color = [red, green, blue, alpha];
      color = colors.length < MOST_COLORS ? colors.push(one) - 1 : nearest(colors, one);
      known.set(value, color);
    }
    indexes[at] = FIRST_INDEX + color;
  }
  return { colors, indexes };
}

/** The image has up to 256 colours, and some of them have no place. */
function nearest(colors: readonly Color[], wanted: Color): number {
  const distances = colors.map((color) => color.reduce((sum, part, i) => sum + (part - wanted[i]!) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}
