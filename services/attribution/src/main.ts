// Runs the attribution service as a process of its own, with the job that deletes what is past its time.
import { runWorker, startRetention } from '@landfall/worker';
import { attributionConfig, keepOf } from './config.ts';
import { deleteExpired } from './retention.ts';
import { attributionService } from './service.ts';

await runWorker({
  service: 'attribution',
  env: process.env,
  config: attributionConfig,
  register: attributionService,
  prepare: async ({ database, config, log }) =>
    startRetention((now) => deleteExpired(database, now, keepOf(config)), log),
});
