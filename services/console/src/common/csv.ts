import { marked } from '@landfall/api-client/formulas';
import { download, type Reply } from '@landfall/http';

export const CSV = 'text/csv';

/** Excel reads it as UTF-8 because of the byte order mark. */
export const csvFile = (name: string, lines: AsyncIterable<string>): Reply =>
  download(CSV, `${name}.csv`, withMark(lines));

async function* withMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = '\ufeff';
  for await (const text of lines) {
    yield mark + text;
    mark = '';
  }
}

/** Also quotes that are none of CSV. The import takes them as text only inside quotes: people mean both by them. */
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

export async function* asCsv<C extends string>(
  columns: readonly C[],
  pages: AsyncIterable<readonly Record<C, unknown>[]>,
): AsyncGenerator<string> {
  yield `${columns.join()}\r\n`;
  for await (const rows of pages)
    yield rows.map((row) => `${columns.map((name) => csvCell(row[name])).join()}\r\n`).join('');
}

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
