// Counts the devices that each app was started on, hour by hour, in PostgreSQL. The table holds counts, because
// counting devices takes too long.
import { randomInt } from 'node:crypto';
import type { Sql, SqlTransaction } from '@landfall/db';
import type { Activity } from '../domain/rollout.ts';
import { before, hours } from '../domain/time.ts';

/** Over this span activity is counted. The hour that has begun stands for the one that is partly over. */
export const ACTIVITY_HOURS = 24;

/** A device that is seen for the first time on its day. */
export interface Sighted {
  readonly appId: string;
  readonly at: Date;
  /** It had never been seen before. */
  readonly isFirst: boolean;
}

/** Each hour of an app is several rows, so that batches at the same time seldom wait for each other. */
const SLOTS = 4;

/** Adds to the counts. The last statement of its transaction: all batches of an app want these few rows. */
export function countSighted(tx: SqlTransaction, sighted: readonly Sighted[]): void {
  if (sighted.length === 0) return;
  const rows = [...Map.groupBy(sighted, ({ appId, at }) => `${appId} ${hourOf(at).toISOString()}`).values()];
  tx.send(
    `insert into attribution.activity as a (app_id, hour, slot, seen, first_seen)
     select app_id, hour, $5, seen, first_seen
     from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[]) as n(app_id, hour, seen, first_seen)
     order by app_id, hour
     on conflict (app_id, hour, slot) do update set
       seen = a.seen + excluded.seen, first_seen = a.first_seen + excluded.first_seen`,
    [
      rows.map(([first]) => first!.appId),
      rows.map(([first]) => hourOf(first!.at)),
      rows.map((row) => row.length),
      rows.map((row) => row.filter(({ isFirst }) => isFirst).length),
      randomInt(SLOTS),
    ],
  );
}

/** The activity of these apps in the hours up to `now`. One of which nothing was seen is left out. */
export async function findActivity(sql: Sql, appIds: readonly string[], now: Date): Promise<Map<string, Activity>> {
  const rows = await sql.rows<{ app_id: string; seen: number; first_seen: number }>(
    `select app_id, sum(seen)::int as seen, sum(first_seen)::int as first_seen
     from attribution.activity
     where app_id = any ($1::uuid[]) and hour > $2 and hour <= $3
     group by app_id`,
    [appIds, before(now, hours(ACTIVITY_HOURS)), now],
  );
  return new Map(rows.map((row) => [row.app_id, { seen: row.seen, firstSeen: row.first_seen }]));
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hours(1)) * hours(1));
