// Makes links of the rows of a table. Each row arrives whole, or it is refused with its number and the reason.

import { isChanged } from '@landfall/api-client/exact-json';
import { unmarked } from '@landfall/api-client/formulas';
import { splitUtm, tidy, UTM, type UtmName } from '@landfall/api-client/utm';
import { objectOf } from '../../forms/changes.ts';
import { type DestinationFault, type Places, readDestination } from '../values/destination.ts';
import { type DayOrder, timeOf } from './cell-times.ts';
import { columnsOf, isBarePath, isExport, isOfBranch, keyOf, type Mapping, TARGETS, type Target } from './columns.ts';
import type { CsvFault, CsvRow } from './csv.ts';
import type { Table } from './table.ts';

const TEXTS = ['name', 'note', 'webUrl', 'iosUrl', 'androidUrl', 'expiredUrl'] as const;

type ImportRow = {
  destination: string;
  slug?: string;
  tags?: string;
  metadata?: Record<string, unknown>;
  expiresAt?: string;
  archived?: true;
} & { [name in (typeof TEXTS)[number] | UtmName]?: string };

export type RowFault =
  | CsvFault
  | 'moreCells'
  | 'fewerCells'
  | 'noColumn'
  | 'time'
  | 'twoWays'
  | 'archived'
  | 'metadataTwice'
  | 'metadataNumber'
  | 'utmTwice'
  | 'tooLong'
  | 'noPlace'
  | `destination.${DestinationFault}`;

/** A row that is not sent, with the number that spreadsheets show. */
export interface Refused {
  row: number;
  fault: RowFault;
  /** The values in the sentence of the fault. */
  values: Record<string, string | number>;
}

export interface ReadRows {
  rows: { row: number; link: ImportRow }[];
  refused: Refused[];
}

export interface Reading {
  mapping: Mapping;
  order: DayOrder;
  /** True: UTM values stay as they are written. */
  keepsText: boolean;
  /** The zone of days, and of times without one. */
  timeZone: string;
  places: Places;
}

/** Bytes of a row as JSON. Far above what the API takes. */
const MAX_BYTES = 100_000;

export function readRows(table: Table, reading: Reading): ReadRows {
  const read: ReadRows = { rows: [], refused: [] };
  const columnsFor = new Map(TARGETS.map((target) => [target, columnsOf(target, reading.mapping, table.names)]));
  const whole: WholeReading = { ...reading, columnsFor };
  for (const row of table.rows) {
    const link = linkOf(row, table, whole);
    if ('fault' in link) read.refused.push(link as Refused);
    else read.rows.push({ row: row.number, link });
  }
  return read;
}

/** Returns the cells of a column that a time is wanted of and that nobody can read without the order of days. */
export const asksOrder = ({ rows }: Table, mapping: Mapping, timeZone: string): boolean =>
  rows.some(({ cells }) =>
    cells.some((cell, place) => {
      if (mapping[place] !== 'expiresAt') return false;
      const time = timeOf(cell.trim(), timeZone, null);
      return 'fault' in time && time.fault === 'twoWays';
    }),
  );

class Refusal extends Error {
  readonly fault: RowFault;
  readonly values: Refused['values'];

  constructor(fault: RowFault, values: Refused['values'] = {}) {
    super(fault);
    this.fault = fault;
    this.values = values;
  }
}

interface WholeReading extends Reading {
  /** The places of the columns of each target, the best first. */
  columnsFor: ReadonlyMap<Target, readonly number[]>;
}

function linkOf(row: CsvRow, table: Table, reading: WholeReading): ImportRow | Refused {
  try {
    return readRow(row, table, reading);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { row: row.number, fault: error.fault, values: error.values };
  }
}

function readRow({ cells, fault }: CsvRow, { names, columns }: Table, reading: WholeReading): ImportRow {
  if (fault !== null) throw new Refusal(fault);
  // Also an empty cell too many is refused: a comma in the destination may have made it.
  if (cells.length !== columns)
    throw new Refusal(cells.length > columns ? 'moreCells' : 'fewerCells', { cells: cells.length, columns });
  const nameless = cells.findIndex((cell, place) => cell !== '' && !names[place]);
  if (nameless >= 0) throw new Refusal('noColumn', { cell: nameless + 1 });

  const ofExport = isExport(names);
  const placeOf = (target: Target) => {
    const places = reading.columnsFor.get(target)!;
    return places.find((place) => cells[place]!.trim() !== '') ?? places[0] ?? -1;
  };
  const cell = (target: Target) => {
    const text = cells[placeOf(target)] ?? '';
    return ofExport && target !== 'metadata' ? unmarked(text) : text;
  };
  // A link of Branch without a path leads to its page.
  const leading = isOfBranch(names) && cell('destination').trim() === '' ? 'webUrl' : 'destination';
  const isPath = isBarePath(names[placeOf(leading)] ?? '');
  const { destination, webUrl } = leadingTo(cell(leading), isPath, reading.places);
  const link: ImportRow = { destination, ...(webUrl !== null && { webUrl }) };
  for (const name of TEXTS) if (cell(name).trim() !== '') link[name] = ofExport ? cell(name) : cell(name).trim();
  const slug = slugOf(cell('slug'));
  if (slug !== '') link.slug = slug;
  const tags = ofExport ? cell('tags') : cell('tags').replaceAll(/[;|]/g, ',');
  if (tags.trim() !== '') link.tags = tags;
  Object.assign(link, utmOf(destination, cell, reading.keepsText), stateOf(cell, reading));
  const metadata = metadataOf(cell('metadata'), valuesOf(names, cells, reading.mapping));
  if (metadata !== undefined) link.metadata = metadata;
  if (isTooLong(link)) throw new Refusal('tooLong');
  return link;
}

/** A path stays as it is, so that the check names what is wrong with it. Branch takes one without its slash. */
function leadingTo(cell: string, isPath: boolean, places: Places): { destination: string; webUrl: string | null } {
  const text = cell.trim();
  if (isPath && /^[^/:.?]+(\/|$|\?)/.test(text)) return { destination: `/${text}`, webUrl: null };
  if (text === '') throw new Refusal('destination.missing');
  if (text.startsWith('/')) return { destination: cell, webUrl: null };
  if (!/^https?:\/\//i.test(text)) throw new Refusal('noPlace', { value: text.slice(0, 40) });
  const read = readDestination(cell, places);
  if ('fault' in read) throw new Refusal(`destination.${read.fault}`);
  return read;
}

/** Landfall makes such slugs, and makes a new one. */
const GENERATED = /^\d{13}-[a-z0-9]{12,20}$/;

/** The cell has the slug, or the whole short address, perhaps with a query. */
function slugOf(cell: string): string {
  const text = cell.trim();
  const slug = /^(?:https?:\/\/)?[^/\s]+\.[^/\s]+\/([^?#]*)/i.exec(text)?.[1] ?? text;
  return GENERATED.test(slug) ? '' : slug;
}

function utmOf(destination: string, cell: (target: Target) => string, keepsText: boolean) {
  const own = splitUtm(destination).utm;
  const given = UTM.flatMap((name): [UtmName, string][] => {
    const text = keepsText ? cell(name).trim() : tidy(cell(name));
    if (text === '') return [];
    if (own[name] !== '' && own[name] !== text) throw new Refusal('utmTwice', { name, value: own[name].slice(0, 40) });
    return [[name, text]];
  });
  return Object.fromEntries(given);
}

function stateOf(cell: (target: Target) => string, { timeZone, order }: Reading) {
  const [expires, archived] = [cell('expiresAt').trim(), cell('archived').trim()];
  const time = expires === '' ? null : timeOf(expires, timeZone, order);
  if (time && 'fault' in time)
    throw new Refusal(time.fault === 'twoWays' ? 'twoWays' : 'time', { value: expires.slice(0, 40) });
  const isNot = /^(?:|false|no|0)$/i.test(archived);
  // A time says since when.
  if (!isNot && !/^(?:true|yes|1)$/i.test(archived) && 'fault' in timeOf(archived, timeZone, 'dayFirst'))
    throw new Refusal('archived', { value: archived.slice(0, 40) });
  return { ...(time && { expiresAt: time.instant }), ...(!isNot && { archived: true }) };
}

const valuesOf = (names: readonly string[], cells: readonly string[], mapping: Mapping): [string, string][] =>
  names.flatMap((name, place): [string, string][] =>
    mapping[place] === 'value' && cells[place] !== '' ? [[keyOf(name), cells[place]!]] : [],
  );

/** A text that is no object stays a text, so that the check names the field. */
function metadataOf(cell: string, values: readonly [string, string][]): Record<string, unknown> | undefined {
  const whole = cell.trim();
  const changed = changedNumber(whole);
  if (changed !== null) throw new Refusal('metadataNumber', { value: changed.slice(0, 40) });
  const parsed = objectOf(whole);
  if (parsed === null) return whole as never;
  const metadata = new Map<string, unknown>(Object.entries(parsed));
  for (const [key, value] of values) {
    if (metadata.has(key) && metadata.get(key) !== value) throw new Refusal('metadataTwice', { key: key.slice(0, 40) });
    metadata.set(key, value);
  }
  return metadata.size > 0 ? Object.fromEntries(metadata) : undefined;
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
