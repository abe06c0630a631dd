// Records one batch of one partition in one transaction: the counts, the ids and the next offset.
import type { Pool, PoolClient } from 'pg';
import type { Click } from './click.ts';

interface Batch {
  topic: string;
  partition: number;
  /** The records in the order of their offsets, at least one. `click` is null when the record is not a click. */
  records: readonly { offset: bigint; click: Click | null }[];
  /** The next offset that the consumer requested, if this batch is the response. */
  sought?: bigint | undefined;
}

interface Recorded {
  /** The offset to continue from. If it is not the one after the batch, the batch does not follow the stored offset. */
  next: bigint;
  /** The records from this offset on are recorded now. Those before were recorded earlier. */
  from: bigint;
  counted: number;
  /** The number of redelivered clicks. */
  repeated: number;
  /** The number of records that the broker deleted before they were read. */
  missed: bigint;
}

/** Rejects when the database does not answer. The outcome is then unknown, and the caller retries the same batch. */
export async function recordBatch(pool: Pool, batch: Batch): Promise<Recorded> {
  return transaction(pool, async (tx) => {
    // After a rebalance, two members may hold the same records for a moment. They wait for each other here.
    const next = await lockOffset(tx, batch);
    const first = batch.records[0]!.offset;
    const missed = first > next ? first - next : 0n;
    const fresh = batch.records.filter(({ offset }) => offset >= next);
    if ((missed > 0n && batch.sought !== next) || fresh.length === 0)
      return { next, from: next, counted: 0, repeated: 0, missed: 0n };
    const clicks = fresh.flatMap(({ click }) => click ?? []);
    const added = await addIds(tx, clicks);
    await addCounts(tx, added);
    const end = fresh.at(-1)!.offset + 1n;
    const statement = 'update clicks_offsets set next_offset = $3 where topic = $1 and "partition" = $2';
    await tx.query(statement, [batch.topic, batch.partition, String(end)]);
    return { next: end, from: next, counted: added.length, repeated: clicks.length - added.length, missed };
  });
}

async function lockOffset(tx: PoolClient, { topic, partition }: Batch): Promise<bigint> {
  await tx.query('insert into clicks_offsets values ($1, $2, 0) on conflict do nothing', [topic, partition]);
  const { rows } = await tx.query(
    'select next_offset from clicks_offsets where topic = $1 and "partition" = $2 for update',
    [topic, partition],
  );
  return BigInt(rows[0].next_offset);
}

/** Adds the ids of the clicks. Returns the clicks that were not counted before, one for each id. */
async function addIds(tx: PoolClient, clicks: readonly Click[]): Promise<Click[]> {
  const byId = new Map(clicks.toReversed().map((click) => [click.id, click]));
  // Sorted here and below: two transactions that lock the same rows in a different order would deadlock.
  const { rows } = await tx.query<{ id: string }>(
    'insert into clicks_seen (id) select id from unnest($1::uuid[]) as id order by id on conflict (id) do nothing returning id',
    [[...byId.keys()]],
  );
  return rows.map(({ id }) => byId.get(id)!);
}

async function addCounts(tx: PoolClient, clicks: readonly Click[]): Promise<void> {
  await tx.query(
    `insert into clicks_per_hour
     select link_id, hour, count(*) from unnest($1::uuid[], $2::timestamptz[]) as click (link_id, hour)
     group by link_id, hour order by link_id, hour
     on conflict (link_id, hour) do update set clicks = clicks_per_hour.clicks + excluded.clicks`,
    [clicks.map(({ linkId }) => linkId), clicks.map(({ hour }) => hour)],
  );
}

async function transaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect();
  // The pool does not listen for errors of a connection that is in use. The next query fails with the same error.
  const onBroken = (): void => {};
  tx.on('error', onBroken);
  let failed = true;
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    failed = false;
    return result;
  } finally {
    tx.off('error', onBroken);
    // A connection with an error is not used again. When it closes, the server rolls back the open transaction.
    tx.release(failed);
  }
}
