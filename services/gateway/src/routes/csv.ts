// Cells of CSV files.

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
