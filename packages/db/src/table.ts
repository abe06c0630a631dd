// How the fields of an object are stored. Columns have the same names in snake case: `firstSeen` is in `first_seen`.
import type { ColumnType } from './binary-array.ts';
import { type Columns, columnsOf } from './columns.ts';

/** Hashes are base64url text in messages and bytes in PostgreSQL. */
export const toBytes = (text: string | null): Buffer<ArrayBuffer> | null =>
  text === null ? null : Buffer.from(text, 'base64url');
export const toText = (bytes: Buffer | null): string | null => bytes?.toString('base64url') ?? null;

const SHORT_BYTES = 8;
const toJoined = (texts: readonly string[] | null) => texts && Buffer.concat(texts.map((text) => toBytes(text)!));
const toTexts = (bytes: Buffer | null): string[] | null =>
  bytes &&
  Array.from({ length: bytes.length / SHORT_BYTES }, (_, i) =>
    bytes.toString('base64url', i * SHORT_BYTES, (i + 1) * SHORT_BYTES),
  );

type Stored = readonly [type: ColumnType, write?: (value: never) => unknown, read?: (column: never) => unknown];

/** The kinds of fields that are stored as something else. */
const KINDS = {
  hash: ['bytea', (text: string | null) => text, toText],
  /** Short hashes, 8 bytes each, one behind the other. */
  hashes: ['bytea', toJoined, toTexts],
  /** An array of arrays must be rectangular in PostgreSQL, so each list is a text that the statement casts. */
  uuids: ['text', (ids: readonly string[] | null) => ids && `{${ids.join()}}`],
  json: ['json', (value: unknown) => value && JSON.stringify(value)],
  /** A time that messages carry as text. */
  instant: ['timestamptz', (text: string | null) => text, (at: Date | null) => at?.toISOString() ?? null],
} as const satisfies Record<string, Stored>;

type Kind<Value> = Value extends Date
  ? 'timestamptz'
  : Value extends boolean
    ? 'boolean'
    : Value extends number
      ? 'int' | 'smallint'
      : Value extends string
        ? 'uuid' | 'text' | 'hash' | 'instant'
        : 'hashes' | 'uuids' | 'json';

/** The kind of each field, or the name of its column and the kind. */
export type Fields<Row> = {
  readonly [Field in keyof Row]-?:
    | Kind<NonNullable<Row[Field]>>
    | readonly [column: string, kind: Kind<NonNullable<Row[Field]>>];
};

export interface Table<Row> extends Columns<Row> {
  /** Reads a row with these columns. */
  of(row: object): Row;
}

/** Call it once, when the module is loaded, like {@link columnsOf}. */
export function tableOf<Row extends object>(fields: Fields<Row>): Table<Row> {
  const columns = Object.entries<string | readonly [string, string]>(fields).map(([field, of]) => {
    const [column, kind] = typeof of === 'string' ? [snakeCase(field), of] : of;
    const [type, write = same, read = same]: Stored = KINDS[kind as keyof typeof KINDS] ?? [kind as ColumnType];
    return { field: field as keyof Row, column, type, write, read };
  });
  const written = columns.map(({ field, column, type, write }) => [
    column,
    [type, (row: Row) => write(row[field] as never)],
  ]);
  return {
    ...columnsOf<Row>(Object.fromEntries(written)),
    of(row) {
      const found = {} as Row;
      for (const { field, column, read } of columns) found[field] = read(row[column as never]) as Row[keyof Row];
      return found;
    },
  };
}

const same = <T>(value: T): T => value;

const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
