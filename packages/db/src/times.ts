// Times on their way to and from PostgreSQL. Batches carry thousands a second, and the driver's own way, which covers every
// format and time zone, costs several times as much.
import pg from 'pg';

const TIMESTAMPTZ = 1184;
const readAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;
const UTC = '+00';

/** `2026-11-21 15:04:05.123+00`, which is how a session in UTC is answered; anything else is left to the driver. */
function readTime(text: string): Date {
  if (!text.endsWith(UTC)) return readAny(text);
  const time = new Date(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`);
  return Number.isNaN(time.getTime()) ? readAny(text) : time;
}

/** The driver's readers, but for times. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? readTime
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Times in arrays as ISO 8601; everything else as it is. */
export const written = (values: readonly unknown[]): unknown[] =>
  values.map((value) => (Array.isArray(value) && value.some(isDate) ? value.map(toText) : value));

const isDate = (value: unknown): value is Date => value instanceof Date;
const toText = (value: unknown): unknown => (isDate(value) ? value.toISOString() : value);
