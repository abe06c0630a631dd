// What the one process deletes when its time is past: pending links and what belongs to them, and dead letters.
import { deleteExpired, type Retention } from '@landfall/attribution';
import { type Database, deleteDeadLettersBefore } from '@landfall/db';
import type { Logger } from '@landfall/runtime';
import * as worker from '@landfall/worker';

export interface Keep extends Retention {
  deadLetterDays: number;
}

/** Dead letters that one run deletes at the most. */
const MAX_ROWS = 100_000;
const DAY_MS = 86_400_000;

export const startRetention = (database: Database, keep: Keep, log: Logger): { stop(): Promise<void> } =>
  worker.startRetention((now) => deleteAll(database, keep, now), log);

async function deleteAll(database: Database, keep: Keep, now: Date): Promise<object> {
  const before = new Date(now.getTime() - keep.deadLetterDays * DAY_MS);
  return {
    ...(await deleteExpired(database, now, keep)),
    deadLetters: await deleteDeadLettersBefore(database, before, MAX_ROWS),
  };
}
