// Reads a CSV file as a table: which character separates its cells, its header and its rows.

import { plain, proposed } from './columns.ts';
import { type CsvFault, type CsvRow, csvRows, isBroken } from './csv.ts';

export interface Table {
  names: string[];
  /** Cells of the header, also those without a name. */
  columns: number;
  /** Rows that are not empty. */
  rows: CsvRow[];
}

/** Why no row of a file can be read. */
export type FileFault =
  | { fault: 'empty' | 'noRows' | 'separator' }
  | { fault: 'columnTwice'; name: string }
  /** Quotes that do not fit: the rows after them may be parts of a text. */
  | { fault: 'quotes'; broken: { row: number; fault: CsvFault }[] };

const SEPARATORS = [',', ';', '\t', '|'];
/** Excel writes and reads this line. It is no row. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|[\r\n]|$)/i;

export function readTable(text: string): Table | FileFault {
  const named = SEPARATOR_LINE.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const separator = separatorOf(body, named?.[1]);
  if (separator === undefined) return { fault: 'separator' };
  const [header, ...all] = csvRows(body, separator);
  const names = namesOf(header);
  if (header === undefined || names.length === 0) return { fault: 'empty' };
  const rows = all.filter(isFilled);
  const broken = [header, ...rows].filter(isBroken);
  if (broken.length > 0)
    return { fault: 'quotes', broken: broken.map(({ number, fault }) => ({ row: number, fault: fault! })) };
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  if (twice !== undefined) return { fault: 'columnTwice', name: twice };
  if (rows.length === 0) return { fault: 'noRows' };
  return { names, columns: header.cells.length, rows };
}

const isFilled = ({ cells, fault }: CsvRow): boolean => fault !== null || cells.some((cell) => cell !== '');

/** Spreadsheets write separators for empty columns behind the last name. */
function namesOf(header: CsvRow | undefined): string[] {
  const names = (header?.cells ?? []).map((name) => name.trim());
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

/**
 * The separator is the only one with which the header has a destination beside other columns. If no name is known, it is
 * the only one that cuts all rows into as many cells as the header has. Null: the file has one column. Undefined: it is
 * not certain.
 */
function separatorOf(text: string, named: string | undefined): string | null | undefined {
  if (named !== undefined) return SEPARATORS.includes(named) ? named : undefined;
  const cut = SEPARATORS.filter((separator) => namesOf(headerOf(text, separator)).length > 1);
  const known = [...cut, null].filter((separator) =>
    proposed(namesOf(headerOf(text, separator))).includes('destination'),
  );
  if (known.length > 0) return known.length === 1 ? known[0] : undefined;
  const even = cut.filter((separator) => {
    const rows = [...csvRows(text, separator)].filter(isFilled);
    return rows.every(({ cells, fault }) => fault === null && cells.length === rows[0]!.cells.length);
  });
  return even.length > 1 ? undefined : (even[0] ?? (cut.length === 0 ? null : undefined));
}

const headerOf = (text: string, separator: string | null): CsvRow | undefined =>
  csvRows(text, separator).next().value ?? undefined;

/** Returns the number of rows that have a password. Links of Landfall have none. */
export function passwordsIn({ names, rows }: Table): number {
  const column = names.findIndex((name) => plain(name) === 'password');
  return rows.filter(({ cells }) => column >= 0 && cells[column] !== '').length;
}
