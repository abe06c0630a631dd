// CSV files, written page by page.

/**
 * Matches the start of a formula. Spreadsheets read full-width and small forms of these characters like the characters
 * themselves.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@])/;
/** The number of characters in which a formula can begin. */
const BEGINNING = 64;

/** Writes a cell, RFC 4180. Text that looks like a formula is marked as text for the spreadsheet. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text.slice(0, BEGINNING).normalize('NFKC')) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The name of each column, and its value for a row. */
export type CsvColumns<T> = readonly (readonly [name: string, value: (row: T) => unknown])[];

/** Writes the names of the columns, and then each page of rows. */
export async function* asCsv<T>(columns: CsvColumns<T>, pages: AsyncIterable<readonly T[]>): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join()}\r\n`;
  for await (const rows of pages)
    yield rows.map((row) => `${columns.map(([, value]) => csvCell(value(row))).join()}\r\n`).join('');
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
