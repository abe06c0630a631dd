// Deletes rows that are past their time, a little in each statement.
import type { Database } from './database.ts';

/** Rows of one table that may go. */
export interface OldRows {
  /** With its schema. A constant. */
  readonly table: string;
  /** The condition of a row, with `$2`, `$3` … for the values. A constant. */
  readonly where: string;
  readonly values: readonly unknown[];
}

const CHUNK = 1_000;

/**
 * Deletes at most `maxRows` of the rows, and resolves with how many. It waits for nobody and holds nobody up: rows that are in
 * use stay for the next time, and no statement holds its locks for long. Any number of processes may do it at once.
 */
export function deleteOld(database: Database, { table, where, values }: OldRows, maxRows: number): Promise<number> {
  return deleteInChunks(maxRows, (size) => deleteRows(database, deletionOf(table, where), [size, ...values]));
}

/**
 * Deletes at most `maxRows` in chunks. `deleteSome` resolves with how many it deleted, at most `size`. Fewer than that mean that
 * the remaining rows, if there are any, are in use.
 */
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

/**
 * Runs a statement of {@link deletionOf} or {@link deletionAt}, and resolves with how many rows it deleted. It is planned anew: the
 * table may have been empty when the last plan was made.
 */
export async function deleteRows(database: Database, statement: string, values: readonly unknown[]): Promise<number> {
  const [gone] = await database.rows<{ count: number }>(statement, values, 'anew');
  return gone!.count;
}

/** A statement that deletes up to `$1` rows of a table. */
export const deletionOf = (table: string, where: string): string =>
  deletionAt(table, `select ctid from ${table} where ${where} limit $1 for update skip locked`);

/**
 * A statement that deletes the rows at the places (`ctid`) of a query. If rows were joined by their key, the planner, who does not
 * know how few they are, would read the whole table for each chunk.
 */
export const deletionAt = (table: string, places: string): string => `
  with gone as (delete from ${table} where ctid = any (array(${places})) returning 1)
  select count(*)::int as count from gone`;
