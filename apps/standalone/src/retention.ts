// Deletes expired rows in the one process: pending links and their related rows, sign-ins, uses of keys, the audit log,
// edits of links, pushes and devices, facts of analytics, and dead letters.

import * as analytics from '@landfall/analytics';
import { deleteExpired } from '@landfall/attribution';
import * as account from '@landfall/console';
import { type Database, deleteDeadLettersBefore } from '@landfall/db';
import * as link from '@landfall/link';
import * as push from '@landfall/push';
import type { Logger } from '@landfall/runtime';
import * as worker from '@landfall/worker';
import type { StandaloneConfig } from './config.ts';

/** The settings that say for how long things are kept. */
export type Keep = Pick<StandaloneConfig, Extract<keyof StandaloneConfig, `KEEP_${string}`>>;

/** The maximum number of dead letters that one run deletes. */
const MAX_ROWS = 100_000;
const DAY_MS = 86_400_000;

export const startRetention = (database: Database, keep: Keep, log: Logger): { stop(): Promise<void> } =>
  worker.startRetention((now) => deleteAll(database, keep, now), log);

async function deleteAll(database: Database, keep: Keep, now: Date): Promise<object> {
  const before = new Date(now.getTime() - keep.KEEP_DEAD_LETTER_DAYS * DAY_MS);
  return {
    ...(await deleteExpired(database, now, keep)),
    ...(await account.deleteExpired(database, now, keep)),
    ...(await link.deleteExpired(database, now, keep)),
    ...(await push.deletePushes(database, now, keep)),
    ...(await analytics.deleteExpired(database, now, keep)),
    deadLetters: await deleteDeadLettersBefore(database, before, MAX_ROWS),
  };
}
