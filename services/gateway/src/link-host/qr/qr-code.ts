// Draws a QR code as SVG. It loads nothing and has no style, so that it may stand in a page with any policy.
import { encode } from 'uqr';

/** From the least to the most damage that a scanner repairs: 7, 15, 25 and 30 % of the code. */
export const ERROR_CORRECTION = ['L', 'M', 'Q', 'H'] as const;
export type ErrorCorrection = (typeof ERROR_CORRECTION)[number];

export interface QrOptions {
  /** Width and height in pixels. Without it the SVG fills its place. */
  size?: number | undefined;
  /** The empty border, in modules. Scanners need 4. */
  margin?: number | undefined;
  /** `#rrggbb` of the modules. It must be much darker than the background (see {@link contrastOf}). */
  color?: string | undefined;
  /** `#rrggbb`. */
  background?: string | undefined;
  /** A `data:` URL of a square PNG, JPEG or WebP in the middle. It covers at most 20 % of the width. */
  logo?: string | undefined;
  /** Defaults to M. With a logo it is always H, because the logo hides modules. */
  errorCorrection?: ErrorCorrection | undefined;
  /** The name for screen readers. Without it the code counts as decoration. */
  title?: string | undefined;
}

export const QR_MARGIN = 4;
const LOGO_SHARE = 0.2;
const DATA_IMAGE = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const COLOR = /^#[0-9a-f]{6}$/i;

/**
 * Returns the SVG of a QR code.
 * @param text at most 1,270 bytes, which fit at every error correction
 * @throws RangeError when the text is too long, or when a colour or a logo has another format
 */
export function qrSvg(text: string, options: QrOptions = {}): string {
  const { size, margin = QR_MARGIN, color = '#000000', background = '#ffffff', logo, title } = options;
  if (!COLOR.test(color) || !COLOR.test(background)) throw new RangeError('a color must be #rrggbb');
  if (logo !== undefined && !DATA_IMAGE.test(logo)) throw new RangeError('a logo must be a data URL of an image');
  const { data, size: modules } = encode(text, {
    ecc: logo === undefined ? (options.errorCorrection ?? 'M') : 'H',
    border: 0,
  });
  const hidden = logo === undefined ? 0 : logoModules(modules);
  const whole = modules + 2 * margin;
  const start = margin + (modules - hidden) / 2;
  const image =
    hidden === 0
      ? ''
      : `<image x="${start + LOGO_GAP}" y="${start + LOGO_GAP}" width="${hidden - 2 * LOGO_GAP}" height="${hidden - 2 * LOGO_GAP}" href="${logo}"/>`;
  const pixels = size === undefined ? '' : ` width="${size}" height="${size}"`;
  const name = title === undefined ? ' aria-hidden="true"' : ' role="img"';
  const titled = title === undefined ? '' : `<title>${escaped(title)}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}"${pixels}${name}>${titled}<path fill="${background}" d="M0 0h${whole}v${whole}H0z"/><path fill="${color}" d="${pathOf(data, margin, hidden)}"/>${image}</svg>`;
}

/**
 * Returns the contrast of two colours as WCAG defines it, from 1 to 21. Below 1: the first is the lighter one, and many
 * scanners read no light code on a dark ground.
 */
export function contrastOf(color: string, background: string): number {
  return (luminance(background) + 0.05) / (luminance(color) + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The space between the logo and the modules around it, in modules. With less, decoders take a logo of a middle tone and
 * the modules beside it for one.
 */
const LOGO_GAP = 1;

/** An odd number, as the number of modules is, so that the logo covers whole modules. */
function logoModules(modules: number): number {
  const most = Math.floor(modules * LOGO_SHARE);
  return most % 2 === modules % 2 ? most : most - 1;
}

/** Each run of dark modules in a row is one rectangle. All are one path: separate ones would show seams between them. */
function pathOf(rows: readonly (readonly boolean[])[], margin: number, hidden: number): string {
  const from = (rows.length - hidden) / 2;
  const isHidden = (at: number) => at >= from && at < from + hidden;
  let path = '';
  rows.forEach((row, y) => {
    const isDark = (x: number) => row[x] === true && !(isHidden(x) && isHidden(y));
    for (let x = 0; x < row.length; x++) {
      if (!isDark(x)) continue;
      const first = x;
      while (isDark(x + 1)) x++;
      const width = x + 1 - first;
      path += `M${first + margin} ${y + margin}h${width}v1h-${width}z`;
    }
  });
  return path;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.toWellFormed().replace(/[&<>"]/g, (character) => ENTITIES[character]!);
