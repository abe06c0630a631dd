// CSV files, written page by page.
import { marked } from '@landfall/api-client/formulas';
import type { AnalyticsInterval } from '@landfall/contracts';
import { Download } from '@landfall/http';

export const CSV = 'text/csv';

/**
 * Returns a file for people. Excel reads it as UTF-8 because of the byte order mark.
 * @param name without `.csv`
 */
export const csvFile = (name: string, lines: AsyncIterable<string>): Download =>
  new Download(CSV, `${name}.csv`, withMark(lines));

async function* withMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = '\ufeff';
  for await (const text of lines) {
    yield mark + text;
    mark = '';
  }
}

/** Quotes that are no quotes of CSV. The import takes them as text only inside quotes, because people mean both by them. */
const NEEDS_QUOTES = /[",;\t\r\n“”„‟«»]/;

/**
 * Writes a cell, RFC 4180. No part of it is a formula, also where a spreadsheet separates by `;` or tab. A text gets
 * marks, JSON is escaped: it stays the same JSON.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const safe = typeof value === 'string' ? marked(value) : JSON.stringify(value).replaceAll(';', '\\u003b');
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes the names of the columns, and then each page of rows. */
export async function* asCsv<C extends string>(
  columns: readonly C[],
  pages: AsyncIterable<readonly Record<C, unknown>[]>,
): AsyncGenerator<string> {
  yield `${columns.join()}\r\n`;
  for await (const rows of pages)
    yield rows.map((row) => `${columns.map((name) => csvCell(row[name])).join()}\r\n`).join('');
}

/** Reads all pages of a list, one after the other. */
export async function* allPages<T>(
  read: (cursor: string | null) => Promise<{ rows: readonly T[]; next: string | null }>,
): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const page: { rows: readonly T[]; next: string | null } = await read(cursor);
    yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

interface Figures {
  readonly metric: string;
  readonly interval: AnalyticsInterval;
  readonly timeZone: string;
  readonly buckets: readonly { readonly from: string; readonly to: string }[];
  readonly values: readonly number[];
  readonly groups: readonly { value: string | null; name: string | null; values: readonly number[] }[] | null;
  readonly other: { readonly groups: number; readonly values: readonly number[] } | null;
}

export async function* figuresAsCsv(figures: Figures): AsyncGenerator<string> {
  const { metric, groups, values, other } = figures;
  const line = (...cells: unknown[]) => `${cells.map(csvCell).join()}\r\n`;
  const spans = spansOf(figures);
  if (groups === null) {
    yield line('from', 'to', metric);
    yield spans.map((span, i) => line(...span, values[i])).join('');
    return;
  }
  yield line('from', 'to', 'value', 'name', metric);
  for (const group of groups)
    yield spans.map((span, i) => line(...span, group.value, group.name, group.values[i])).join('');
  if (other !== null)
    yield spans.map((span, i) => line(...span, `(${other.groups} others)`, null, other.values[i])).join('');
}

/**
 * Returns the first and the last day of each bucket, as `from` and `to` of a question name days. Of an hour, its beginning
 * and its end with the offset from UTC: an hour may come twice on a day.
 */
function spansOf({ buckets, interval, timeZone }: Figures): (readonly [from: string, to: string])[] {
  const clock = clockOf(timeZone);
  return buckets.map(({ from, to }) => {
    if (interval === 'hour') return [clock(Date.parse(from)).time, clock(Date.parse(to)).time];
    return [clock(Date.parse(from)).day, clock(Date.parse(to) - 1).day];
  });
}

/** Returns a function for the day and the time of an instant, e.g. `2026-11-27T09:00:00+05:30`. */
function clockOf(timeZone: string): (ms: number) => { day: string; time: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const day = `${part.year}-${part.month}-${part.day}`;
    // `GMT+05:30`, and `GMT` alone for none.
    const offset = part.timeZoneName!.slice(3) || '+00:00';
    return { day, time: `${day}T${part.hour}:${part.minute}:${part.second}${offset}` };
  };
}
