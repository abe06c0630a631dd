import type { Database } from './database.ts';

export interface OldRows {
  /** The name of the table, with its schema. A constant. */
  readonly table: string;
  /** The SQL condition for the rows, with `$2`, `$3` … for the values. A constant. */
  readonly where: string;
  readonly values: readonly unknown[];
}

const CHUNK = 1_000;

/**
 * Deletes at most `maxRows` rows, and resolves with their number. Waits for no lock and blocks nobody for long: it
 * skips locked rows until the next call, and each statement deletes a few. Several processes may call it at once.
 */
export function deleteOld(database: Database, { table, where, values }: OldRows, maxRows: number): Promise<number> {
  return deleteInChunks(maxRows, (size) => deleteRows(database, deletionOf(table, where), [size, ...values]));
}

/** `deleteSome` resolves with the number that it deleted. Below `size`, all remaining rows are locked, if any. */
export async function deleteInChunks(maxRows: number, deleteSome: (size: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  while (deleted < maxRows) {
    const size = Math.min(CHUNK, maxRows - deleted);
    const gone = await deleteSome(size);
    deleted += gone;
    if (gone < size) break;
  }
  return deleted;
}

/** For {@link deletionOf} and {@link deletionAt}. Planned each time: the table may have been empty at the last plan. */
export async function deleteRows(database: Database, statement: string, values: readonly unknown[]): Promise<number> {
  const [gone] = await database.rows<{ count: number }>(statement, values, 'anew');
  return gone!.count;
}

/** Returns a statement that deletes up to `$1` rows of a table. */
export const deletionOf = (table: string, where: string): string =>
  deletionAt(table, `select ctid from ${table} where ${where} limit $1 for update skip locked`);

/** `places`: a query for `ctid`. With a join by key, the planner would read the whole table for each chunk. */
export const deletionAt = (table: string, places: string): string => `
  with gone as (delete from ${table} where ctid = any (array(${places})) returning 1)
  select count(*)::int as count from gone`;
