// What nobody needs any more is deleted, a little at a time.
import type { Database } from '@landfall/db';
import { before, days, hours } from './domain/time.ts';

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
}

const CHUNK = 1_000;
/** A run never stands in the way of requests for long. */
const MAX_ROWS = 100_000;

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
  const inChunks = async (statement: string, keptSince: Date) => {
    let deleted = 0;
    while (deleted < maxRows) {
      const size = Math.min(CHUNK, maxRows - deleted);
      const [gone] = await database.rows<{ count: number }>(statement, [keptSince, size]);
      deleted += gone!.count;
      if (gone!.count < size) break;
    }
    return deleted;
  };
  return {
    pendingLinks: await inChunks(oldPendingLinks, before(now, days(keep.pendingLinkDays))),
    contacts: await inChunks(oldContacts, before(now, hours(keep.contactHours))),
    restores: await inChunks(oldRestores, before(now, days(keep.restoreDays))),
  };
}

const oldPendingLinks = `
  with old as (
    select id from attribution.pending_links where tapped_at < $1 limit $2 for update skip locked
  ), gone as (delete from attribution.pending_links p using old where p.id = old.id returning 1)
  select count(*)::int as count from gone`;

const oldContacts = `
  with old as (
    select app_id, address, device from attribution.contacts where last_at < $1 limit $2 for update skip locked
  ), gone as (
    delete from attribution.contacts c using old
    where c.app_id = old.app_id and c.address = old.address and c.device = old.device returning 1
  )
  select count(*)::int as count from gone`;

const oldRestores = `
  with old as (
    select message_id from attribution.restores where at < $1 limit $2 for update skip locked
  ), gone as (delete from attribution.restores r using old where r.message_id = old.message_id returning 1)
  select count(*)::int as count from gone`;
