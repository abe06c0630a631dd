// Deletes expired rows, a little at a time.
import { type Database, deleteOld, type OldRows } from '@landfall/db';
import { before, days, hours } from './domain/time.ts';
import { ACTIVITY_HOURS } from './repositories/activity-repository.ts';

export interface Retention {
  /** Pending links, open or closed. At least as long as the longest exact key of an app can match. */
  pendingLinkDays: number;
  /** Hours that contacts are kept. More than a day, over which people are counted. */
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
  const remove = ({ table, where }: Pick<OldRows, 'table' | 'where'>, keptSince: Date) =>
    deleteOld(database, { table, where, values: [keptSince] }, maxRows);
  return {
    pendingLinks: await remove(old.pendingLinks, before(now, days(keep.pendingLinkDays))),
    contacts: await remove(old.contacts, before(now, hours(keep.contactHours))),
    restores: await remove(old.restores, before(now, days(keep.restoreDays))),
    openings: await remove(old.openings, before(now, hours(OPENING_HOURS))),
    activity: await remove(old.activity, before(now, hours(KEEP_ACTIVITY_HOURS))),
  };
}

/** Exported for the test of their plans. */
export const old = {
  pendingLinks: { table: 'attribution.pending_links', where: 'tapped_at < $2' },
  contacts: { table: 'attribution.contacts', where: 'last_at < $2' },
  restores: { table: 'attribution.restores', where: 'at < $2' },
  openings: { table: 'attribution.openings', where: 'at < $2' },
  activity: { table: 'attribution.activity', where: 'hour < $2' },
};
