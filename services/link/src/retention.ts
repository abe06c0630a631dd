// Edits that are older than the audit log are deleted, a little at a time.
import type { Database } from '@landfall/db';
import { deleteInChunks } from '@landfall/worker';

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
  const edits = await deleteInChunks(maxRows, async (size) => {
    const [gone] = await database.rows<{ count: number }>(oldEdits, [size, before]);
    return gone!.count;
  });
  return { edits };
}

const oldEdits = `
  with old as (select ctid from link.edits where at < $2 limit $1 for update skip locked),
    gone as (delete from link.edits t using old where t.ctid = old.ctid returning 1)
  select count(*)::int as count from gone`;
