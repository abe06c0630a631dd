// The file after an import: the rows of the person's own file, and what became of each.
import { marked } from '@landfall/api-client/formulas';
import type { Table } from './table.ts';

export interface Outcome {
  url?: string;
  slug?: string;
  /** Sentences. Empty: nothing is wrong. */
  error: string;
}

/** Excel reads it as UTF-8 because of the byte order mark. */
const MARK = '\ufeff';

/**
 * Returns the file as CSV.
 * @param outcomes by the numbers of the rows
 * @param headings of the three columns behind those of the file
 */
export function resultFile(
  { names, rows }: Table,
  outcomes: ReadonlyMap<number, Outcome>,
  headings: readonly [url: string, slug: string, error: string],
): string {
  const lines = rows.map(({ number, cells }) => {
    const { url = '', slug = '', error = '' } = outcomes.get(number) ?? {};
    return [...names.map((_, place) => cells[place] ?? ''), url, slug, error];
  });
  return MARK + [[...names, ...headings], ...lines].map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

/** No part of a cell is a formula, also where a spreadsheet separates cells by other characters. */
function cellOf(text: string): string {
  const safe = marked(text);
  return /[",;\t\r\n“”„‟«»]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
