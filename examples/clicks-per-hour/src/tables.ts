import type { Pool } from 'pg';

/** Any number works. The lock separates programs that start at the same moment. */
const LOCK = 6_401_877;

const tables = `
  create table if not exists clicks_per_hour (
    link_id uuid, hour timestamptz, clicks bigint not null, primary key (link_id, hour));
  -- Where to go on reading. It moves in the transaction that counts, so that the two never disagree.
  create table if not exists clicks_offsets (
    topic text, "partition" int, next_offset bigint not null, primary key (topic, "partition"));
  -- What was counted already.
  create table if not exists clicks_seen (
    id uuid primary key, seen_at timestamptz not null default now());
  create index if not exists clicks_seen_at on clicks_seen using brin (seen_at);`;

export async function makeTables(pool: Pool): Promise<void> {
  // PostgreSQL runs several statements without values as one transaction.
  await pool.query(`select pg_advisory_xact_lock(${LOCK}); ${tables}`);
}

/** A long deletion would delay the programs that count. */
const AT_ONCE = 10_000;

export async function forgetIds(pool: Pool, keepDays: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from clicks_seen where id in
         (select id from clicks_seen where seen_at < now() - make_interval(days => $1) limit ${AT_ONCE})`,
      [keepDays],
    );
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < AT_ONCE) return forgotten;
  }
}
