// One batch of one partition, in one transaction: what was counted, which ids, and how far.
import type { Pool, PoolClient } from 'pg';
import type { Click } from './click.ts';

export interface Batch {
  topic: string;
  partition: number;
  /** In the order of their offsets, at least one. Null for what is no click. */
  records: readonly { offset: bigint; click: Click | null }[];
  /** The offset that was asked for because it was the next one, if this batch is the answer. */
  sought?: bigint | undefined;
}

export interface Recorded {
  /** The offset to go on from. Anything but the one behind the batch means: this is not what comes next. */
  next: bigint;
  counted: number;
  /** Clicks that were told again. */
  repeated: number;
  /** Records that the broker deleted before they were read. */
  missed: bigint;
}

/** Counts what was not counted yet. Rejects when the database does not answer; then nothing is known, and the same is tried again. */
export async function recordBatch(pool: Pool, batch: Batch): Promise<Recorded> {
  return transaction(pool, async (tx) => {
    // Two may hold the same records, after a rebalance that one has not heard of yet. They wait here for each other.
    const next = await lockOffset(tx, batch);
    const first = batch.records[0]!.offset;
    const missing = first > next ? first - next : 0n;
    if (missing > 0n && batch.sought !== next) return { next, counted: 0, repeated: 0, missed: 0n };

    const fresh = batch.records.filter(({ offset }) => offset >= next);
    if (fresh.length === 0) return { next, counted: 0, repeated: 0, missed: 0n };
    const clicks = fresh.flatMap(({ click }) => click ?? []);
    const added = await addIds(tx, clicks);
    await addCounts(tx, added);
    const end = fresh.at(-1)!.offset + 1n;
    await tx.query('update clicks_offsets set next_offset = $3 where topic = $1 and "partition" = $2', [
      batch.topic,
      batch.partition,
      String(end),
    ]);
    return { next: end, counted: added.length, repeated: clicks.length - added.length, missed: missing };
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

/** Those that nobody has counted, one of each id. */
async function addIds(tx: PoolClient, clicks: readonly Click[]): Promise<Click[]> {
  const byId = new Map(clicks.toReversed().map((click) => [click.id, click]));
  // Sorted, as below: two transactions that want the same rows in another order would wait for each other for ever.
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
  let failed = true;
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    failed = false;
    return result;
  } finally {
    // A connection on which something failed is not used again; with its end the server undoes what was begun.
    tx.release(failed);
  }
}
