// Passes many rows to one statement: an array for each column, which `unnest` turns into rows again. One table names
// the columns, so that names, types and values stay in step.
import { arrayOf, type ColumnType, type ValueOf } from './binary-array.ts';

type Column<Row> = {
  [Type in ColumnType]: readonly [type: Type, of: (row: Row) => ValueOf<Type> | null];
}[ColumnType];

/** Columns by name, in the order of the parameters: `{ id: ['uuid', (link) => link.id] }`. */
export type ColumnTable<Row> = Readonly<Record<string, Column<Row>>>;

export interface Columns<Row> {
  /** `id, slug` */
  readonly names: string;
  /** `$1::uuid[], $2::text[]` */
  readonly arrays: string;
  /**
   * `(id, slug) = row(excluded.id, excluded.slug)`, for `on conflict … do update set`. It changes many rows that are known to
   * exist. An `update` has a plan, and one that is made while there are few rows may read all of them each time.
   */
  readonly toGiven: string;
  /** `unnest($1::uuid[], $2::text[]) as l(id, slug)`. With a place, from 1: `… with ordinality as l(id, slug, n)`. */
  unnest(alias: string, place?: string): string;
  /** The first parameters of the statement, an array for each column. */
  valuesOf(rows: readonly Row[]): Buffer[];
}

/** Call it once, when the module is loaded, and make the statement there: statements are prepared by their text. */
export function columnsOf<Row>(table: ColumnTable<Row>): Columns<Row> {
  const names = Object.keys(table).join(', ');
  const columns: (readonly [ColumnType, (row: Row) => never])[] = Object.values(table) as never;
  const arrays = columns.map(([type], i) => `$${i + 1}::${type}[]`).join(', ');
  return {
    names,
    arrays,
    toGiven: `(${names}) = row(${names.replaceAll(/\w+/g, 'excluded.$&')})`,
    unnest: (alias, place) =>
      place === undefined
        ? `unnest(${arrays}) as ${alias}(${names})`
        : `unnest(${arrays}) with ordinality as ${alias}(${names}, ${place})`,
    valuesOf: (rows) => columns.map(([type, of]) => arrayOf(type, valuesIn(rows, of))),
  };
}

/** A loop: here it is faster than `map`, which is fast when it always calls the same function. */
function valuesIn<Row, Value>(rows: readonly Row[], of: (row: Row) => Value): Value[] {
  const values = new Array<Value>(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = of(rows[i]!);
  return values;
}
