// Texts in CSV files that a spreadsheet would run as a formula. An export marks them, and an import of it takes the
// marks away again: the result is the text itself, whatever it is.

/** Begins a formula. Spreadsheets read full-width and small forms of these characters like the characters themselves. */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋﬩⩵⩶]';

/** Matches a text that a spreadsheet may run. Spaces, quotes and earlier marks before the formula do not stop it. */
const FORMULA = new RegExp(`^(?:'*[\\t\\r\\n]|['"\\s]*${SIGN})`);

/**
 * Spreadsheets in many countries separate cells with `;` or a tab, whatever the file uses. They do not see the quotes of
 * a cell that is not the first, so a line break inside ends its row, too.
 */
const INNER = `(?=['"\\v\\f\\p{Zs}\\ufeff]*${SIGN})`;
const UNMARKED = new RegExp(`([;\\t\\r\\n])${INNER}`, 'gu');
const MARKED = new RegExp(`([;\\t\\r\\n])'${INNER}`, 'gu');

/** Puts `'` before each part of a text that a spreadsheet may run as a formula. */
export function marked(text: string): string {
  const inner = text.replace(UNMARKED, "$1'");
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** Returns the text that {@link marked} was given. */
export function unmarked(text: string): string {
  const inner = text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
  return inner.replace(MARKED, '$1');
}
