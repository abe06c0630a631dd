// What nobody needs any more is deleted, a little at a time.
import type { Database } from '@landfall/db';
import { deleteInChunks } from '@landfall/worker';
import { before, days, hours } from './domain/time.ts';
import { ACTIVITY_HOURS } from './repositories/activity-repository.ts';

export interface Retention {
  /** Pending links, open or closed. At least as long as the longest exact key of an app can match. */
  pendingLinkDays: number;
  /** Who was met where. More than a day, over which people are counted. */
  contactHours: number;
  restoreDays: number;
}

export interface Deleted {
  pendingLinks: number;
  contacts: number;
  restores: number;
  openings: number;
  activity: number;
}

/** As long as any tap can match by address, and a little more. */
const OPENING_HOURS = 25;

/** Twice the time that it is counted over, for clocks that are behind. */
const KEEP_ACTIVITY_HOURS = 2 * ACTIVITY_HOURS;

/** Every hour: about 6 s of one connection. */
const MAX_ROWS = 500_000;

/**
 * Deletes what is older than `keep` says, at most `maxRows` of each kind. Waits for nobody and holds
 * nobody up: rows that are in use are left for the next time. Devices are kept.
 */
export async function deleteExpired(
  database: Database,
  now: Date,
  keep: Retention,
  maxRows = MAX_ROWS,
): Promise<Deleted> {
  const inChunks = (statement: string, keptSince: Date) =>
    deleteInChunks(maxRows, async (size) => {
      const [gone] = await database.rows<{ count: number }>(statement, [keptSince, size]);
      return gone!.count;
    });
  return {
    pendingLinks: await inChunks(deletions.pendingLinks, before(now, days(keep.pendingLinkDays))),
    contacts: await inChunks(deletions.contacts, before(now, hours(keep.contactHours))),
    restores: await inChunks(deletions.restores, before(now, days(keep.restoreDays))),
    openings: await inChunks(deletions.openings, before(now, hours(OPENING_HOURS))),
    activity: await inChunks(deletions.activity, before(now, hours(KEEP_ACTIVITY_HOURS))),
  };
}

/**
 * Deletes up to $2 rows that are older than $1, by where they lie: joined by their key, the planner, who does not know how few
 * they are, reads the whole table for each chunk.
 */
const deleteOld = (table: string, time: string) => `
  with gone as (
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${time} < $1 limit $2 for update skip locked
    )) returning 1
  )
  select count(*)::int as count from gone`;

/** For the test of their plans. */
export const deletions = {
  pendingLinks: deleteOld('attribution.pending_links', 'tapped_at'),
  contacts: deleteOld('attribution.contacts', 'last_at'),
  restores: deleteOld('attribution.restores', 'at'),
  openings: deleteOld('attribution.openings', 'at'),
  activity: deleteOld('attribution.activity', 'hour'),
};
