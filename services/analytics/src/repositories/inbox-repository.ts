// Stores events that are not counted yet, a batch in a row.
import { isTransient, type Sql, type SqlTransaction } from '@landfall/db';

/** True for a fault of the database that has nothing to do with what was stored. */
export const isPassing = isTransient;

export interface StoredBatch {
  readonly id: string;
  readonly event: string;
  /** As JSON: ids, times and data. One text costs the collector of memory next to nothing. */
  readonly messages: string;
  /** How many messages there are. 0: unknown. */
  readonly size: number;
}

export const inboxRepository = (sql: Sql) => ({
  async add(event: string, messages: string): Promise<string> {
    const [row] = await sql.rows<{ id: string }>(
      'insert into analytics.inbox (event, messages) values ($1, $2) returning id',
      [event, messages],
    );
    return row!.id;
  },

  oldest: (limit: number): Promise<StoredBatch[]> =>
    sql.rows<StoredBatch>(
      'select id, event, messages, 0 as size from analytics.inbox where failure is null order by id limit $1',
      [limit],
      // The inbox may have been empty when a plan was made.
      'anew',
    ),

  /** Notes why a batch cannot be counted. It is not taken again. */
  async fail(id: string, reason: string): Promise<void> {
    await sql.rows('update analytics.inbox set failure = $2 where id = $1', [id, reason]);
  },
});

/** Takes batches out. Returns the ids of those that were still there. When the transaction fails, they are there again. */
export async function takeBatches(tx: SqlTransaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    'delete from analytics.inbox where id = any ($1::bigint[]) and failure is null returning id',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
