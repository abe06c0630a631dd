// The query of a QR code. A misspelt option is an error: otherwise a code is printed that nobody wanted.
import { parsed, strict } from '@landfall/http';
import { z } from 'zod';
import { contrastOf, ERROR_CORRECTION, QR_MARGIN } from './qr-code.ts';

export type QrFormat = 'svg' | 'png';

/** Phones still read a code of this contrast in bad light. */
const LEAST_CONTRAST = 3;
const PNG_SIZE = 1_024;

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a number from ${least} to ${most}`)
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error: `must be a number from ${least} to ${most}` });

const color = (fallback: string) =>
  z
    .string()
    .regex(/^#?[0-9a-f]{6}$/i, { error: 'must be six hexadecimal digits, e.g. 1d4ed8', abort: true })
    .transform((given) => `#${given.replace('#', '').toLowerCase()}`)
    .default(fallback);

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((given) => given === 'true')
    .default(fallback);

const QrQuery = z
  .object({
    size: integer(64, 2_048).optional(),
    margin: integer(0, 16).default(QR_MARGIN),
    color: color('#000000'),
    background: color('#ffffff'),
    logo: flag(true),
    errorCorrection: z.enum(ERROR_CORRECTION, { error: `must be one of ${ERROR_CORRECTION.join(', ')}` }).optional(),
    download: flag(false),
    name: z.string().max(200, 'must have at most 200 characters').default(''),
  })
  .refine((query) => contrastOf(query.color, query.background) >= LEAST_CONTRAST, {
    path: ['color'],
    error: 'must be darker than the background, with a contrast of at least 3',
  });

const query = strict(QrQuery);

export type WantedQr = ReturnType<typeof wantedQr>;

/**
 * Reads the options.
 * @param given the query of the request, with or without its question mark
 * @param hasLogo whether the app has a logo
 * @throws ApiError 400 that names the wrong option
 */
export function wantedQr(format: QrFormat, given: string, hasLogo: boolean) {
  const options = Object.fromEntries(new URLSearchParams(given));
  const { size, errorCorrection, ...wanted } = parsed(query, options);
  const logo = wanted.logo && hasLogo;
  return {
    ...wanted,
    format,
    logo,
    /** Pixels. Null: an SVG that fills its place. */
    size: size ?? (format === 'png' ? PNG_SIZE : null),
    // A logo hides modules, so its code always has the highest level.
    errorCorrection: logo ? 'H' : errorCorrection,
  };
}
