// The attribution service as a worker: its settings, and the job that deletes expired rows. The service's own process
// runs it.
import { LONGEST_DAYS } from '@landfall/contracts';
import { integer } from '@landfall/runtime';
import { readWorkerConfig, startRetention, WorkerConfig, type WorkerOptions } from '@landfall/worker';
import { z } from 'zod';
import { deleteExpired } from './retention.ts';
import { attributionService } from './service.ts';

/** A week, in hours. A device that was at an address within this time is not there for the first time. */
const LOOK_BACK_HOURS = 7 * 24;

export const RetentionConfig = z.object({
  KEEP_PENDING_LINK_DAYS: integer(LONGEST_DAYS, 3650)
    .default(LONGEST_DAYS)
    .describe(`Days that pending links are kept, at least ${LONGEST_DAYS}.`),
  KEEP_CONTACT_HOURS: integer(LOOK_BACK_HOURS, 24 * 30)
    .default(LOOK_BACK_HOURS)
    .describe(
      `Hours that it is remembered which devices were met at which address, at least ${LOOK_BACK_HOURS}: so far back it matters whether a device was there before.`,
    ),
  KEEP_RESTORE_DAYS: integer(LONGEST_DAYS, 3650)
    .default(LONGEST_DAYS)
    .describe(
      `Days that the decisions of restores are kept, at least ${LONGEST_DAYS}: a token that was used must be known.`,
    ),
});

export const AttributionConfig = z.object({ ...WorkerConfig.shape, ...RetentionConfig.shape });

export const attributionWorker = (env: NodeJS.ProcessEnv): WorkerOptions<z.output<typeof AttributionConfig>> => ({
  service: 'attribution',
  env,
  config: (env) => readWorkerConfig(AttributionConfig, env),
  register: attributionService,
  prepare: async ({ database, config, log }) => startRetention((now) => deleteExpired(database, now, config), log),
});
