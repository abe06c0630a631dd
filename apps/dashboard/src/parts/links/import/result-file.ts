// The file after an import: the rows of the person's own file, and what became of each.
import { csvCell, MARK } from '@landfall/api-client/csv';
import { unmarked } from '@landfall/api-client/formulas';
import type { Table } from './table.ts';

export interface Outcome {
  url?: string;
  slug?: string;
  /** Sentences. Empty: nothing is wrong. */
  error: string;
}

/** The names of the three columns behind those of the person. */
export type Headings = readonly [url: string, slug: string, error: string];

/** Returns the file as CSV. Cells that have no name stay, so that their rows are refused again. */
export function resultFile(
  { names, columns, rows }: Table,
  /** By the numbers of the rows. */
  outcomes: ReadonlyMap<number, Outcome>,
  headings: Headings,
): string {
  const header = [...names, ...headings, ...Array<string>(columns - names.length).fill('')];
  const lines = rows.map(({ number, cells }) => {
    const { url = '', slug = '', error = '' } = outcomes.get(number) ?? {};
    return [...names.map((_, place) => cells[place] ?? ''), url, slug, error, ...cells.slice(names.length)];
  });
  return MARK + [header, ...lines].map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** Returns the person's own table of one that may be the file after an import: without its columns and its marks. */
export function withoutResult(table: Table, headings: Headings): Table {
  const [url, slug] = headings;
  if (!table.names.includes(url) && !table.names.includes(slug)) return table;
  const isOwn = table.names.map((name) => !headings.includes(name));
  const own = (cells: readonly string[]) => cells.filter((_, place) => isOwn[place] ?? true).map(unmarked);
  const names = own(table.names);
  const columns = table.columns - (table.names.length - names.length);
  return { names, columns, rows: table.rows.map((row) => ({ ...row, cells: own(row.cells) })) };
}
