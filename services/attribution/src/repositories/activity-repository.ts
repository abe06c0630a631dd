// Counts the devices on which each app was started, for each hour, in PostgreSQL. The table holds counts, because
// counting devices takes too long.
import { randomInt } from 'node:crypto';
import { columnsOf, type Sql, type SqlTransaction } from '@landfall/db';
import type { Activity } from '../domain/rollout.ts';
import { before, hours } from '../domain/time.ts';
import type { Sighted } from '../new-devices.ts';

/**
 * Hours over which activity is counted, and once more those before them. The current hour replaces the oldest hour,
 * which is only partly within the span.
 */
export const ACTIVITY_HOURS = 24;

/** The number of rows for each hour of an app. Several rows make parallel batches seldom wait for each other. */
const SLOTS = 4;

export function activityRepository(tx: SqlTransaction) {
  return {
    /** Adds to the counts. It must be the last statement of its transaction: all batches of an app lock these few rows. */
    count(sighted: readonly Sighted[]): void {
      if (sighted.length === 0) return;
      tx.send(addCounts, [...columns.valuesOf(sighted), randomInt(SLOTS)]);
    },
  };
}

const columns = columnsOf<Sighted>({
  app_id: ['uuid', (s) => s.appId],
  hour: ['timestamptz', (s) => hourOf(s.at)],
  is_first: ['boolean', (s) => s.isFirst],
});

const addCounts = `
  insert into attribution.activity as a (app_id, hour, slot, seen, first_seen)
  select s.app_id, s.hour, $4, count(*), count(*) filter (where s.is_first)
  from ${columns.unnest('s')}
  group by s.app_id, s.hour order by s.app_id, s.hour
  on conflict (app_id, hour, slot) do update set
    seen = a.seen + excluded.seen, first_seen = a.first_seen + excluded.first_seen`;

export function activityReader(sql: Sql) {
  return {
    /** Returns the activity of these apps in the hours up to `now`. Leaves out apps without any seen device. */
    async find(appIds: readonly string[], now: Date): Promise<Map<string, Activity>> {
      const rows = await sql.rows<Activity & { appId: string }>(
        `select app_id as "appId", coalesce(sum(seen) filter (where hour > $3), 0)::int as seen,
           coalesce(sum(first_seen) filter (where hour > $3), 0)::int as "firstSeen",
           json_build_object(
             'seen', coalesce(sum(seen) filter (where hour <= $3), 0)::int,
             'firstSeen', coalesce(sum(first_seen) filter (where hour <= $3), 0)::int
           ) as before
         from attribution.activity
         where app_id = any ($1::uuid[]) and hour > $2 and hour <= $4
         group by app_id`,
        [appIds, before(now, hours(2 * ACTIVITY_HOURS)), before(now, hours(ACTIVITY_HOURS)), now],
      );
      return new Map(rows.map(({ appId, ...activity }) => [appId, activity]));
    },
  };
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hours(1)) * hours(1));
