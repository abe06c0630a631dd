// The one job that deletes: what is past its time goes, an hour after it could, a little at a time.
import { deleteExpired } from '@landfall/attribution';
import { type Database, deleteDeadLettersBefore } from '@landfall/db';
import type { Logger } from '@landfall/runtime';

export interface Keep {
  pendingLinkDays: number;
  contactHours: number;
  restoreDays: number;
  deadLetterDays: number;
}

const EVERY_MS = 3_600_000;
/** Rows of a kind that one run deletes at the most: a run never stands in the way of requests for long. */
const MAX_ROWS = 100_000;
const DAY_MS = 86_400_000;

export function startRetention(database: Database, keep: Keep, log: Logger): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = runRetention(database, keep, new Date(), log);
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** One run. A failure is logged, and the next run does what this one did not. */
export async function runRetention(database: Database, keep: Keep, now: Date, log: Logger): Promise<void> {
  try {
    const deleted = {
      ...(await deleteExpired(database, now, keep, MAX_ROWS)),
      deadLetters: await deleteDeadLettersBefore(
        database,
        new Date(now.getTime() - keep.deadLetterDays * DAY_MS),
        MAX_ROWS,
      ),
    };
    if (Object.values(deleted).some((count) => count > 0)) log.info(deleted, 'deleted what was past its time');
  } catch (err) {
    log.error({ err }, 'what is past its time could not be deleted');
  }
}
