// Stores events that are not counted yet, a batch in a row.
import { isTransient, type Sql, type SqlTransaction } from '@landfall/db';

/** True for a fault of the database that has nothing to do with what was stored. */
export const isPassing = isTransient;

export interface StoredMessage {
  readonly id: string;
  /** ISO 8601. */
  readonly now: string;
  readonly data: object;
}

export interface StoredBatch {
  readonly id: string;
  readonly event: string;
  readonly messages: readonly StoredMessage[];
}

export const inboxRepository = (sql: Sql) => ({
  /**
   * Stores a batch, and returns its id.
   * @param messages as JSON of {@link StoredMessage}
   */
  async add(event: string, messages: string): Promise<string> {
    const [row] = await sql.rows<{ id: string }>(
      'insert into analytics.inbox (event, messages) values ($1, $2) returning id',
      [event, messages],
    );
    return row!.id;
  },

  /** Notes why a batch cannot be counted. It is not taken again. */
  async fail(id: string, reason: string): Promise<void> {
    await sql.rows('update analytics.inbox set failure = $2 where id = $1', [id, reason]);
  },
});

/** Takes the oldest batches out. When the transaction fails, they are there again. Other processes take others. */
export async function takeBatches(tx: SqlTransaction, limit: number): Promise<StoredBatch[]> {
  const rows = await tx.rows<{ id: string; event: string; messages: string }>(
    `with taken as (
       delete from analytics.inbox where id = any (array(
         select id from analytics.inbox where failure is null order by id limit $1 for update skip locked))
       returning id, event, messages
     ) select * from taken order by id`,
    [limit],
    // The inbox may have been empty when a plan was made.
    'anew',
  );
  return rows.map(({ messages, ...row }) => ({ ...row, messages: JSON.parse(messages) }));
}

/** Takes these batches out, whose content the caller knows. Returns the ids of those that were still there. */
export async function takeKnown(tx: SqlTransaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    'delete from analytics.inbox where id = any ($1::bigint[]) and failure is null returning id',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
