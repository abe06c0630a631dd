// Deletes expired rows in small steps.
import { type Database, deleteOld, type OldRows } from '@landfall/db';
import { before, days, hours } from './domain/time.ts';
import { ACTIVITY_HOURS } from './repositories/activity-repository.ts';

/** The settings with these names. */
type Retention = Record<'KEEP_PENDING_LINK_DAYS' | 'KEEP_CONTACT_HOURS' | 'KEEP_RESTORE_DAYS', number>;

/** Hours that openings are kept. A little longer than any tap can match by address. */
const OPENING_HOURS = 25;

/** Hours that activity is kept. Twice the span over which it is counted, to allow for clocks that are behind. */
const KEEP_ACTIVITY_HOURS = 2 * ACTIVITY_HOURS;

/** Rows of each kind that one run deletes. A run every hour uses one connection for about 6 s. */
const MAX_ROWS = 500_000;

/**
 * Deletes rows that are older than `keep` allows, at most `maxRows` of each kind. It does not wait for locks and does
 * not delay other transactions: locked rows are left for the next run. Devices are kept.
 */
export async function deleteExpired(database: Database, now: Date, keep: Retention, maxRows = MAX_ROWS) {
  const remove = ({ table, where }: Pick<OldRows, 'table' | 'where'>, keptSince: Date) =>
    deleteOld(database, { table, where, values: [keptSince] }, maxRows);
  return {
    pendingLinks: await remove(old.pendingLinks, before(now, days(keep.KEEP_PENDING_LINK_DAYS))),
    contacts: await remove(old.contacts, before(now, hours(keep.KEEP_CONTACT_HOURS))),
    restores: await remove(old.restores, before(now, days(keep.KEEP_RESTORE_DAYS))),
    openings: await remove(old.openings, before(now, hours(OPENING_HOURS))),
    activity: await remove(old.activity, before(now, hours(KEEP_ACTIVITY_HOURS))),
  };
}

/** Exported for the test of the query plans. */
export const old = {
  pendingLinks: { table: 'attribution.pending_links', where: 'tapped_at < $2' },
  contacts: { table: 'attribution.contacts', where: 'last_at < $2' },
  restores: { table: 'attribution.restores', where: 'at < $2' },
  openings: { table: 'attribution.openings', where: 'at < $2' },
  activity: { table: 'attribution.activity', where: 'hour < $2' },
};
