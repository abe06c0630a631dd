// Converts times to and from PostgreSQL: thousands each second. The driver's own conversion covers every format and
// time zone, and costs several times as much.
import pg from 'pg';

const TIMESTAMPTZ = 1184;
const readAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;
const UTC = '+00';

/** The last time that was read. A row often contains the same time more than once. */
const last = { text: '', time: 0 };

/** Reads a time such as `2026-11-21 15:04:05.123+00`, in UTC. The driver reads all other formats. */
function readTime(text: string): Date {
  if (text === last.text) return new Date(last.time);
  if (!text.endsWith(UTC)) return readAny(text);
  const time = Date.parse(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`);
  if (Number.isNaN(time)) return readAny(text);
  Object.assign(last, { text, time });
  return new Date(time);
}

/** The type parsers of the driver, except for times. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? readTime
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Converts Dates in arrays to ISO 8601. Leaves all other values unchanged. */
export function written(values: readonly unknown[]): unknown[] {
  // A batch contains the same few times in many places.
  const texts = new Map<number, string>();
  function toText(value: unknown): unknown {
    if (!isDate(value)) return value;
    const time = value.getTime();
    let text = texts.get(time);
    if (text === undefined) {
      text = value.toISOString();
      texts.set(time, text);
    }
    return text;
  }
  return values.map((value) => (Array.isArray(value) && value.some(isDate) ? value.map(toText) : value));
}

const isDate = (value: unknown): value is Date => value instanceof Date;
