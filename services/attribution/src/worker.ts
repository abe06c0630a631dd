// The attribution service as a worker, with the job that deletes expired rows. The service's own process runs it.
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type AttributionConfig, attributionConfig, keepOf } from './config.ts';
import { deleteExpired } from './retention.ts';
import { attributionService } from './service.ts';

export const attributionWorker = (env: NodeJS.ProcessEnv): WorkerOptions<AttributionConfig> => ({
  service: 'attribution',
  env,
  config: attributionConfig,
  register: attributionService,
  prepare: async ({ database, config, log }) =>
    startRetention((now) => deleteExpired(database, now, keepOf(config)), log),
});
