// Counts the devices on which each app was started, for each hour, in PostgreSQL. The table holds counts, because
// counting devices takes too long.
import { randomInt } from 'node:crypto';
import { columnsOf, type Sql, type SqlTransaction } from '@landfall/db';
import { toBytes } from '../bytes.ts';
import type { Activity } from '../domain/rollout.ts';
import { before, hours } from '../domain/time.ts';
import { FIRST_SEEN } from './contact-repository.ts';
import type { DeviceKey } from './device-repository.ts';

/**
 * Hours over which activity is counted, and once more those before them. The current hour replaces the oldest hour,
 * which is only partly within the span.
 */
export const ACTIVITY_HOURS = 24;

/** A device that is seen for the first time on its day. */
export interface Sighted extends DeviceKey {
  readonly address: string | null;
  /** The /48 of an IPv6 address. */
  readonly site: string | null;
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
     * rows. Somebody may make up devices, so an address counts few that were never seen before, and its /48 some more.
     */
    count(sighted: readonly Sighted[]): void {
      if (sighted.length === 0) return;
      tx.send(addCounts, [...columns.valuesOf(sighted), randomInt(SLOTS)]);
    },
  };
}

/** The most devices that an address counts in an hour of those that were never seen before, and its /48. */
const MOST_NEW = 2;
const MOST_NEW_OF_SITE = 10;

/** Is true while fewer than `most` other devices were met for the first time, and at this address, in the last hour. */
const othersMetAt = (address: string, most: number): string => `(
  select count(*) < ${most} from (
    select from attribution.contacts c
    where c.app_id = s.app_id and c.address = ${address} and c.device <> s.device
      and c.last_at > s.at - interval '1 hour' and c.first_at > s.at - interval '1 hour'
      and ${FIRST_SEEN} > s.at - interval '1 hour'
    limit ${most}
  ) there)`;

const columns = columnsOf<Sighted>({
  app_id: ['uuid', (s) => s.appId],
  device: ['bytea', (s) => toBytes(s.device)],
  address: ['bytea', (s) => toBytes(s.address)],
  site: ['bytea', (s) => toBytes(s.site)],
  at: ['timestamptz', (s) => s.at],
  hour: ['timestamptz', (s) => hourOf(s.at)],
  is_first: ['boolean', (s) => s.isFirst],
});

const addCounts = `
  insert into attribution.activity as a (app_id, hour, slot, seen, first_seen)
  select s.app_id, s.hour, $8, count(*), count(*) filter (where s.is_first)
  from ${columns.unnest('s')}
  where not s.is_first
    or (${othersMetAt('s.address', MOST_NEW)} and (s.site is null or ${othersMetAt('s.site', MOST_NEW_OF_SITE)}))
  group by s.app_id, s.hour order by s.app_id, s.hour
  on conflict (app_id, hour, slot) do update set
    seen = a.seen + excluded.seen, first_seen = a.first_seen + excluded.first_seen`;

interface Row {
  app_id: string;
  is_last: boolean;
  seen: number;
  first_seen: number;
}

export function activityReader(sql: Sql) {
  return {
    /** Returns the activity of these apps in the hours up to `now`. Leaves out apps without any seen device. */
    async find(appIds: readonly string[], now: Date): Promise<Map<string, Activity>> {
      const rows = await sql.rows<Row>(
        `select app_id, hour > $3 as is_last, sum(seen)::int as seen, sum(first_seen)::int as first_seen
         from attribution.activity
         where app_id = any ($1::uuid[]) and hour > $2 and hour <= $4
         group by app_id, is_last`,
        [appIds, before(now, hours(2 * ACTIVITY_HOURS)), before(now, hours(ACTIVITY_HOURS)), now],
      );
      const found = Map.groupBy(rows, (row) => row.app_id);
      const countedIn = (rows: readonly Row[], isLast: boolean) => {
        const row = rows.find((one) => one.is_last === isLast);
        return { seen: row?.seen ?? 0, firstSeen: row?.first_seen ?? 0 };
      };
      return new Map(
        [...found].map(([appId, of]) => [appId, { ...countedIn(of, true), before: countedIn(of, false) }]),
      );
    },
  };
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hours(1)) * hours(1));
