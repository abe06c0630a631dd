// Drops facts of months that are over, and deletes what only days need.
import { type Database, deleteOld } from '@landfall/db';
import { partitionRepository } from './repositories/partition-repository.ts';
import { deleteVisitors } from './repositories/visitor-repository.ts';

const DAY_MS = 86_400_000;
/** Visitors of a day are told apart for two days after it, for events that come late. */
const VISITOR_DAYS = 2;
/** Rows of each kind that one run deletes. */
const MAX_ROWS = 500_000;

export async function deleteExpired(
  database: Database,
  now: Date,
  keep: { KEEP_ANALYTICS_DAYS: number },
  maxRows = MAX_ROWS,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const facts = daysAgo(keep.KEEP_ANALYTICS_DAYS);
  const installs = { table: 'analytics.installs', where: 'latest_at < $2', values: [facts] };
  return {
    analyticsMonths: await partitionRepository(database).dropBefore(facts),
    visitors: await deleteVisitors(database, daysAgo(VISITOR_DAYS), maxRows),
    installs: await deleteOld(database, installs, maxRows),
  };
}
