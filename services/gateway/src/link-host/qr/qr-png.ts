// Draws a QR code as PNG: one bit for each pixel, and equal rows once. It takes some milliseconds. A program that renders
// the SVG takes a hundred times as long, and everyone may ask for a code.
import { crc32, deflateSync } from 'node:zlib';
import type { QrLayout } from './qr-code.ts';
import { FIRST_INDEX, type LogoPixels } from './qr-logo.ts';

export interface QrPngOptions {
  /** Width and height in pixels, at least one for each module. */
  size: number;
  /** `#rrggbb` */
  color: string;
  /** `#rrggbb` */
  background: string;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The colour type of PNG for a palette. */
const INDEXED = 3;
/** The filters of PNG: a row as it is, and a row as its difference to the row above. */
const AS_IT_IS = 0;
const AS_ABOVE = 2;
/** Rows are equal or nearly so, and higher levels gain little. */
const LEVEL = 2;
/** With fewer pixels for a module, scanners need soft edges: modules are then not equally wide. */
const SHARP_FROM = 3;
/** The index of the colour in a palette with soft edges. The background has 0, and the shades are between. */
const DARK = FIRST_INDEX - 1;

/** @param logo has the width of {@link logoPlace}. Null: the code has none */
export function qrPng(layout: QrLayout, { size, color, background }: QrPngOptions, logo: LogoPixels | null): Buffer {
  const isSharp = size >= SHARP_FROM * layout.whole;
  const bits = isSharp && logo === null ? 1 : 8;
  const [ground, ink] = [rgbOf(background), rgbOf(color)];
  const shades = Array.from({ length: FIRST_INDEX }, (_, i) => blended(ink, i / DARK, ground));
  const ofLogo =
    logo?.colors.map(([red, green, blue, alpha]) => blended([red, green, blue], alpha / 255, ground)) ?? [];
  const rows = isSharp ? sharpRows(layout, size, bits) : softRows(layout, size);
  if (logo !== null) addLogo(rows, size, logoPlace(layout, size)!, logo.indexes);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size);
  header.writeUInt32BE(size, 4);
  header.set([bits, INDEXED], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from((bits === 1 ? [ground, ink] : [...shades, ...ofLogo]).flat())),
    chunk('IDAT', deflateSync(rows, { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the place of the logo in pixels. Null: the code has none. */
export function logoPlace({ logo, whole }: QrLayout, size: number): { from: number; width: number } | null {
  if (logo === null) return null;
  const edge = edges(whole, size);
  return { from: edge(logo.at), width: edge(logo.at + logo.width) - edge(logo.at) };
}

const edges = (whole: number, size: number) => (module: number) => Math.round((module * size) / whole);

/** Returns rows whose modules have whole pixels. Each begins with the byte of its filter. */
function sharpRows(layout: QrLayout, size: number, bits: 1 | 8): Buffer {
  const { modules, margin, whole, isDark } = layout;
  const length = 1 + Math.ceil((size * bits) / 8);
  const rows = Buffer.alloc(length * size);
  const edge = edges(whole, size);
  const place = logoPlace(layout, size);
  for (let y = 0; y < whole; y++) {
    const row = Buffer.alloc(length);
    for (let x = 0; x < modules; x++) {
      if (!isDark(x, y - margin)) continue;
      const [from, to] = [edge(x + margin), edge(x + 1 + margin)];
      if (bits === 8) row.fill(DARK, 1 + from, 1 + to);
      else for (let at = from; at < to; at++) row[1 + (at >> 3)]! |= 0x80 >> (at & 7);
    }
    for (let at = edge(y); at < edge(y + 1); at++) {
      // The rows of the logo, and the one below it, differ from the row above.
      const nearLogo = place !== null && at >= place.from && at <= place.from + place.width;
      if (at > edge(y) && !nearLogo) rows[at * length] = AS_ABOVE;
      else rows.set(row, at * length);
    }
  }
  return rows;
}

/** Returns rows in which a pixel on the edge of modules has a shade between. A pixel covers at most two in a row. */
function softRows({ margin, whole, isDark }: QrLayout, size: number): Buffer {
  const rows = Buffer.alloc((1 + size) * size, AS_IT_IS);
  /** The module at the start of each pixel, and the part of the pixel that belongs to it. */
  const parts = Array.from({ length: size }, (_, at) => {
    const module = Math.floor((at * whole) / size);
    return { module: module - margin, share: Math.min(1, ((module + 1) * size) / whole - at) };
  });
  parts.forEach(({ module: y, share: high }, row) => {
    parts.forEach(({ module: x, share: wide }, column) => {
      const above = (isDark(x, y) ? wide : 0) + (isDark(x + 1, y) ? 1 - wide : 0);
      const below = (isDark(x, y + 1) ? wide : 0) + (isDark(x + 1, y + 1) ? 1 - wide : 0);
      rows[row * (1 + size) + 1 + column] = Math.round((above * high + below * (1 - high)) * DARK);
    });
  });
  return rows;
}

function addLogo(
  rows: Buffer,
  size: number,
  { from, width }: { from: number; width: number },
  indexes: Uint8Array,
): void {
  for (let y = 0; y < width; y++)
    rows.set(indexes.subarray(y * width, (y + 1) * width), (from + y) * (1 + size) + 1 + from);
}

type Rgb = [number, number, number];

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

/** Returns a colour as it looks on the background. */
const blended = (color: Rgb, alpha: number, ground: Rgb): Rgb =>
  color.map((part, i) => Math.round(part * alpha + ground[i]! * (1 - alpha))) as Rgb;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
