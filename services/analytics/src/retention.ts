import { type Database, deleteOld } from '@landfall/db';
import { keepTotals } from './repositories/links/keep-totals.ts';
import { partitionRepository } from './repositories/partition-repository.ts';
import { deleteVisitors } from './repositories/visitor-repository.ts';

const DAY_MS = 86_400_000;
/** Visitors of a day are told apart for two days after it, for events that come late. */
const VISITOR_DAYS = 2;
/** Rows of each kind that one run deletes. */
const MAX_ROWS = 500_000;

/** Drops facts of months that are over, deletes what only days need, and takes days that are over out of the totals of links. */
export async function deleteExpired(database: Database, now: Date, keep: { KEEP_ANALYTICS_DAYS: number }) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const facts = daysAgo(keep.KEEP_ANALYTICS_DAYS);
  const installs = { table: 'analytics.installs', where: 'latest_at < $2', values: [facts] };
  const deleted = {
    analyticsMonths: await partitionRepository(database).dropBefore(facts),
    visitors: await deleteVisitors(database, daysAgo(VISITOR_DAYS), MAX_ROWS),
    installs: await deleteOld(database, installs, MAX_ROWS),
  };
  await keepTotals(database, now);
  return deleted;
}
