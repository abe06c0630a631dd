// Counts the devices on which each app was started, for each hour, in PostgreSQL. The table holds counts, because
// counting devices takes too long.
import { randomInt } from 'node:crypto';
import type { Sql, SqlTransaction } from '@landfall/db';
import type { Activity } from '../domain/rollout.ts';
import { before, hours } from '../domain/time.ts';

/**
 * Hours over which activity is counted. The current hour replaces the oldest hour, which is only partly within the
 * span.
 */
export const ACTIVITY_HOURS = 24;

/** A device that is seen for the first time on its day. */
export interface Sighted {
  readonly appId: string;
  readonly at: Date;
  /** True when the device was never seen before. */
  readonly isFirst: boolean;
}

/** The number of rows for each hour of an app. Several rows make parallel batches seldom wait for each other. */
const SLOTS = 4;

export function activityRepository(tx: SqlTransaction) {
  return {
    /**
     * Adds to the counts. It must be the last statement of its transaction, because all batches of an app lock these few
     * rows.
     */
    count(sighted: readonly Sighted[]): void {
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
    },
  };
}

export function activityReader(sql: Sql) {
  return {
    /** Returns the activity of these apps in the hours up to `now`. Leaves out apps without any seen device. */
    async find(appIds: readonly string[], now: Date): Promise<Map<string, Activity>> {
      const rows = await sql.rows<{ app_id: string; seen: number; first_seen: number }>(
        `select app_id, sum(seen)::int as seen, sum(first_seen)::int as first_seen
         from attribution.activity
         where app_id = any ($1::uuid[]) and hour > $2 and hour <= $3
         group by app_id`,
        [appIds, before(now, hours(ACTIVITY_HOURS)), now],
      );
      return new Map(rows.map((row) => [row.app_id, { seen: row.seen, firstSeen: row.first_seen }]));
    },
  };
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hours(1)) * hours(1));
