// CSV files that spreadsheets and the import of links read.
import { marked } from './formulas.ts';

/** Begins a file: Excel reads it as UTF-8 because of the byte order mark. */
export const MARK = '\ufeff';

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
