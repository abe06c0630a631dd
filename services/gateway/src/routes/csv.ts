// Cells of CSV files.

/** Spreadsheets read full-width and small forms of these characters as they read the characters themselves. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@])/;
/** The characters with which a formula begins. */
const BEGINNING = 64;

/** RFC 4180. What a spreadsheet would take for a formula it is told to take for text. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text.slice(0, BEGINNING).normalize('NFKC')) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
