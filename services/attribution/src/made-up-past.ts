// Stores taps and first starts of a made-up past, each at its own time, with the handlers of real ones.
import type { Log } from '@landfall/bus';
import type { Database } from '@landfall/db';
import { rememberTap } from './handlers/keep-links.ts';
import { recordHeartbeat } from './handlers/record-heartbeat.ts';
import { restoreLinks } from './handlers/restore-links.ts';
import { madeUpRepository } from './repositories/made-up-repository.ts';

/** Made-up devices count for no rollout: whether many devices are new decides about real ones. */
const uncounted = { thatCount: () => [] };

export const madeUpPast = (database: Database, log: Log) => ({
  ...madeUpRepository(database),
  rememberTap: rememberTap(database),
  recordHeartbeat: recordHeartbeat(database, uncounted),
  restoreLinks: restoreLinks(database, log, { late: () => false }, uncounted),
});
export type MadeUpPast = ReturnType<typeof madeUpPast>;
