// The file after an import: the rows of the person's own file, and what became of each.
import { csvCell, MARK } from '@landfall/api-client/csv';
import type { Table } from './table.ts';

export interface Outcome {
  url?: string;
  slug?: string;
  /** Sentences. Empty: nothing is wrong. */
  error: string;
}

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
  return MARK + [[...names, ...headings], ...lines].map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}
