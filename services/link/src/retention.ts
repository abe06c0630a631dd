// Edits that are older than the audit log are deleted, a little at a time.
import { type Database, deleteOld } from '@landfall/db';

const DAY_MS = 86_400_000;
/** A run never stands in the way of requests for long. */
const MAX_ROWS = 100_000;

/** Deletes the edits that are too old at `now`, at most `maxRows`. Rows that are in use are left for the next time. */
export async function deleteExpired(
  database: Database,
  now: Date,
  keep: { auditDays: number },
  maxRows = MAX_ROWS,
): Promise<{ edits: number }> {
  const before = new Date(now.getTime() - keep.auditDays * DAY_MS);
  const old = { table: 'link.edits', where: 'at < $2', values: [before] };
  return { edits: await deleteOld(database, old, maxRows) };
}
