import { type Database, deleteOld } from '@landfall/db';

/** The most rows in one run. The limit keeps a run from delaying requests for long. */
const MAX_ROWS = 100_000;

/** Deletes the edits that are too old at `now`, at most `maxRows`. Locked rows are left for the next run. */
export async function deleteExpired(
  database: Database,
  now: Date,
  keep: { KEEP_AUDIT_DAYS: number },
  maxRows = MAX_ROWS,
): Promise<{ edits: number }> {
  const before = new Date(now.getTime() - keep.KEEP_AUDIT_DAYS * 86_400_000);
  const old = { table: 'link.edits', where: 'at < $2', values: [before] };
  return { edits: await deleteOld(database, old, maxRows) };
}
