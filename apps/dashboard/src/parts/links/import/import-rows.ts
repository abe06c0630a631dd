// Reads a CSV file as links. The columns have the names of the export; `metadata.<key>` is one value. Each row arrives
// whole, or it is refused with its number and the reason.

import { isChanged } from '@landfall/api-client/exact-json';
import { unmarked } from '@landfall/api-client/formulas';
import { objectOf } from '../../forms/changes.ts';
import { instantOfWall } from '../../time-zone.ts';
import { type CsvFault, type CsvRow, csvRows, isBroken } from './csv.ts';

interface ImportRow {
  destination: string;
  metadata?: Record<string, unknown>;
  expiresAt?: string;
  archived?: true;
}

type RowFault =
  | CsvFault
  | 'moreCells'
  | 'fewerCells'
  | 'noColumn'
  | 'expiresAt'
  | 'archivedAt'
  | 'metadataTwice'
  | 'metadataNumber'
  | 'tooLong';

/** A row that is not sent, with the number that spreadsheets show. */
export interface Refused {
  row: number;
  fault: RowFault;
  /** The values in the sentence of the fault. */
  values: Record<string, string | number>;
}

/** Why no row of a file can be read. */
export type FileFault =
  | { fault: 'withoutDestination' | 'separator' }
  | { fault: 'columnTwice'; name: string }
  /** Quotes that do not fit: the rows after them may be parts of a text. `refused` names the places. */
  | { fault: 'quotes'; refused: Refused[] };

export interface ReadFile {
  rows: { row: number; link: ImportRow }[];
  refused: Refused[];
  unused: string[];
  /** True when the file has columns that Landfall sets itself. */
  hasOwn: boolean;
  /** The names and cells of all rows: the same for the same content, in whatever encoding, quotes and line ends. */
  content: string[][];
}

/** The columns of an export that Landfall sets itself. */
const OWN = ['url', 'slug', 'createdAt', 'id'];
const USED = ['destination', 'metadata', 'expiresAt', 'archivedAt'];
const PREFIX = 'metadata.';
const SEPARATORS = [',', ';', '\t', '|'];
/** Excel writes and reads this line. It is no row. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|[\r\n]|$)/i;
/** Bytes of a row as JSON. Far above what the API takes. */
const MAX_BYTES = 100_000;

/** @param timeZone the zone of days, and of times without one */
export function readFile(text: string, timeZone: string): ReadFile | FileFault {
  const named = SEPARATOR_LINE.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const separator = separatorOf(body, named?.[1]);
  if (typeof separator === 'object' && separator !== null) return separator;
  const [header, ...all] = csvRows(body, separator);
  const names = namesOf(header);
  const rows = all.filter(({ cells, fault }) => fault !== null || cells.some((cell) => cell !== ''));
  const broken = [header, ...rows].filter((row) => row !== undefined && isBroken(row)) as CsvRow[];
  if (broken.length > 0)
    return { fault: 'quotes', refused: broken.map(({ number, fault }) => refusal(number, fault!)) };
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  if (twice !== undefined) return { fault: 'columnTwice', name: twice };

  const read: ReadFile = {
    rows: [],
    refused: [],
    unused: names.filter((name) => !isUsed(name) && !OWN.includes(name) && name !== ''),
    hasOwn: OWN.some((name) => names.includes(name)),
    content: [names, ...rows.map(({ cells }) => cells)],
  };
  const columns = header?.cells.length ?? 0;
  const context = { names, columns, timeZone, isExport: OWN.every((name) => names.includes(name)) };
  for (const row of rows) {
    const link = linkOf(row, context);
    if ('fault' in link) read.refused.push(link);
    else read.rows.push({ row: row.number, link });
  }
  return read;
}

const isUsed = (name: string) => USED.includes(name) || (name.startsWith(PREFIX) && name !== PREFIX);

/** Spreadsheets write separators for empty columns behind the last name. */
function namesOf(header: CsvRow | undefined): string[] {
  const names = (header?.cells ?? []).map((name) => name.trim());
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

/** The separator is the only one with which the header has a column named `destination` beside others. */
function separatorOf(text: string, named: string | undefined): string | null | FileFault {
  if (named !== undefined && !SEPARATORS.includes(named)) return { fault: 'separator' };
  const candidates = named === undefined ? [...SEPARATORS, null] : [named];
  const fitting = candidates.filter((separator) => {
    const names = namesOf(csvRows(text, separator).next().value ?? undefined);
    return names.includes('destination') && (names.length > 1 || separator === null || separator === named);
  });
  const [first] = fitting;
  if (first === undefined) return { fault: 'withoutDestination' };
  return fitting.length === 1 ? first : { fault: 'separator' };
}

const refusal = (row: number, fault: RowFault, values: Refused['values'] = {}): Refused => ({ row, fault, values });

interface Context {
  names: string[];
  /** Cells of the header, also those without a name. */
  columns: number;
  timeZone: string;
  isExport: boolean;
}

function linkOf(
  { number, cells, fault }: CsvRow,
  { names, columns, timeZone, isExport }: Context,
): ImportRow | Refused {
  const refuse = (fault: RowFault, values?: Refused['values']) => refusal(number, fault, values);
  if (fault !== null) return refuse(fault);
  // Also an empty cell too many is refused: a comma in the destination may have made it.
  if (cells.length !== columns)
    return refuse(cells.length > columns ? 'moreCells' : 'fewerCells', { cells: cells.length, columns });
  const nameless = cells.findIndex((cell, place) => cell !== '' && !names[place]);
  if (nameless >= 0) return refuse('noColumn', { cell: nameless + 1 });

  const record = new Map(names.map((name, place) => [name, cells[place]!]));
  const cell = (name: string) => record.get(name) ?? '';
  const times = { expiresAt: cell('expiresAt').trim(), archivedAt: cell('archivedAt').trim() };
  const link: ImportRow = { destination: isExport ? unmarked(cell('destination')) : cell('destination') };
  for (const name of ['expiresAt', 'archivedAt'] as const) {
    if (times[name] === '') continue;
    const instant = instantOfCell(times[name], timeZone);
    if (instant === null) return refuse(name, { value: times[name].slice(0, 40) });
    if (name === 'expiresAt') link.expiresAt = instant;
    else link.archived = true;
  }
  const metadata = metadataOf(record);
  if (typeof metadata === 'object' && 'refused' in metadata) return refuse(metadata.refused, metadata.values);
  if (metadata.value !== undefined) link.metadata = metadata.value;
  return isTooLong(link) ? refuse('tooLong') : link;
}

type Metadata = { value: Record<string, unknown> | undefined } | { refused: RowFault; values: Refused['values'] };

/** A text that is no object stays a text, so that the check names the field. */
function metadataOf(record: ReadonlyMap<string, string>): Metadata {
  const whole = record.get('metadata')?.trim() ?? '';
  const changed = changedNumber(whole);
  if (changed !== null) return { refused: 'metadataNumber', values: { value: changed.slice(0, 40) } };
  const parsed = objectOf(whole);
  if (parsed === null) return { value: whole as never };
  const single = [...record]
    .filter(([name, value]) => name.startsWith(PREFIX) && isUsed(name) && value !== '')
    .map(([name, value]) => [name.slice(PREFIX.length), value] as const);
  const twice = single.find(([key, value]) => Object.hasOwn(parsed, key) && parsed[key] !== value);
  if (twice) return { refused: 'metadataTwice', values: { key: twice[0].slice(0, 40) } };
  const metadata = { ...parsed, ...Object.fromEntries(single) };
  return { value: Object.keys(metadata).length > 0 ? metadata : undefined };
}

/** Returns the first number of a JSON text that JavaScript would change, or null. */
function changedNumber(text: string): string | null {
  let changed: string | null = null;
  const look = (_: string, value: unknown, context?: { source?: string }): unknown => {
    // TypeScript does not know the source yet, and older browsers do not have it.
    const source = context?.source ?? `${value}`;
    if (typeof value === 'number' && isChanged(source, value)) changed ??= source;
    return value;
  };
  try {
    JSON.parse(text, look);
  } catch {
    // It is no JSON, or too deep. The check of the row says so.
  }
  return changed;
}

function isTooLong(link: ImportRow): boolean {
  try {
    return new TextEncoder().encode(JSON.stringify(link)).length > MAX_BYTES;
  } catch {
    return true;
  }
}

/** A day, or a time with or without its distance from UTC: RFC 3339, and a space instead of the `T`. */
const TIME =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,3})0*)?)?(?<zone>Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/** A day is its beginning. Null for any other text: each browser and each country reads it differently. */
function instantOfCell(text: string, timeZone: string): string | null {
  const { day, minute = '00:00', second = '00', fraction = '', zone } = TIME.exec(text)?.groups ?? {};
  if (day === undefined) return null;
  const iso = `${day}T${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  const wall = Date.parse(iso);
  // A day that is in no calendar, such as 30 February, would become another one.
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== iso) return null;
  return new Date(zone === undefined ? instantOfWall(wall, timeZone) : wall - distanceOf(zone)).toISOString();
}

/** Returns the milliseconds of a distance from UTC. */
function distanceOf(zone: string): number {
  if (/^Z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
