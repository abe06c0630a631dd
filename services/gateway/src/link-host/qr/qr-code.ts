// Lays out a QR code and draws it as SVG. The SVG loads nothing and has no style, so that it may stand in a page with
// any policy.
import { encode } from 'uqr';

/** From the least to the most damage that a scanner repairs: 7, 15, 25 and 30 % of the code. */
export const ERROR_CORRECTION = ['L', 'M', 'Q', 'H'] as const;
export type ErrorCorrection = (typeof ERROR_CORRECTION)[number];

export interface QrShape {
  /** The empty border, in modules. Scanners need 4. */
  margin?: number | undefined;
  /** Defaults to M. With a logo it is always H, because the logo hides modules. */
  errorCorrection?: ErrorCorrection | undefined;
  /** Leaves a place for a logo in the middle. It covers at most 20 % of the width. */
  logo?: boolean | undefined;
  /**
   * True: a code for a screen, which takes a tenth of a millisecond. Otherwise all eight masks are compared, which takes
   * some milliseconds. The best one is for a code that is printed and read in bad light.
   */
  quick?: boolean | undefined;
}

export type QrLayout = ReturnType<typeof layoutOf>;

export interface SvgOptions {
  /** Width and height in pixels. Without it the SVG fills its place. */
  size?: number | undefined;
  /** `#rrggbb` of the modules. It must be much darker than the background (see {@link contrastOf}). */
  color?: string | undefined;
  /** `#rrggbb`. */
  background?: string | undefined;
  /** A `data:` URL of a square PNG, JPEG or WebP, when the layout has a place for it. */
  logo?: string | undefined;
  /** True: screen readers say that it is a QR code. Otherwise it counts as decoration. */
  isNamed?: boolean;
}

export const QR_MARGIN = 4;
const LOGO_SHARE = 0.2;

/** Every mask makes a valid code. */
const QUICK_MASK = 3;

/**
 * Returns the places of all parts of a code, in modules.
 * @param text at most 1,270 bytes, which fit at every error correction
 * @throws RangeError when the text is too long
 */
export function layoutOf(text: string, { margin = QR_MARGIN, errorCorrection = 'M', logo, quick }: QrShape) {
  const { data, size: modules } = encode(text, {
    ecc: logo ? 'H' : errorCorrection,
    border: 0,
    ...(quick && { maskPattern: QUICK_MASK }),
  });
  const hidden = logo ? logoModules(modules) : 0;
  const from = (modules - hidden) / 2;
  const isHidden = (at: number) => at >= from && at < from + hidden;
  return {
    /** Width and height with the border. */
    whole: modules + 2 * margin,
    margin,
    /** The number of modules in a row. */
    modules,
    /** Takes column and row without the border. Modules behind the logo are light. */
    isDark: (x: number, y: number): boolean => data[y]?.[x] === true && !(isHidden(x) && isHidden(y)),
    /** The square of the logo. Null: there is none. */
    logo: hidden === 0 ? null : { at: margin + from + LOGO_GAP, width: hidden - 2 * LOGO_GAP },
  };
}

export function qrSvg(layout: QrLayout, options: SvgOptions = {}): string {
  const { size, color = '#000000', background = '#ffffff', logo, isNamed = false } = options;
  const { whole, logo: place } = layout;
  const image =
    place === null || logo === undefined
      ? ''
      : `<image x="${place.at}" y="${place.at}" width="${place.width}" height="${place.width}" href="${logo}"/>`;
  const pixels = size === undefined ? '' : ` width="${size}" height="${size}"`;
  const role = isNamed ? 'role="img"' : 'aria-hidden="true"';
  const title = isNamed ? '<title>QR code</title>' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}"${pixels} ${role}>${title}<path fill="${background}" d="M0 0h${whole}v${whole}H0z"/><path fill="${color}" d="${pathOf(layout)}"/>${image}</svg>`;
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

/** In modules. With less, decoders mistake a logo of a middle tone for the modules beside it. */
const LOGO_GAP = 1;

/** An odd number, as the number of modules is, so that the logo covers whole modules. */
function logoModules(modules: number): number {
  const most = Math.floor(modules * LOGO_SHARE);
  return most % 2 === modules % 2 ? most : most - 1;
}

/** Each run of dark modules in a row is one rectangle. All are one path: separate ones would show seams between them. */
function pathOf({ modules, margin, isDark }: QrLayout): string {
  let path = '';
  for (let y = 0; y < modules; y++) {
    for (let x = 0; x < modules; x++) {
      if (!isDark(x, y)) continue;
      const first = x;
      while (isDark(x + 1, y)) x++;
      const width = x + 1 - first;
      path += `M${first + margin} ${y + margin}h${width}v1h-${width}z`;
    }
  }
  return path;
}
