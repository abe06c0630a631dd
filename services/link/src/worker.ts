// The link service as a worker, with the job that deletes expired rows. The service's own process runs it.
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type LinkConfig, linkConfig } from './config.ts';
import { deleteExpired } from './retention.ts';
import { linkService } from './service.ts';

export const linkWorker = (env: NodeJS.ProcessEnv): WorkerOptions<LinkConfig> => ({
  service: 'link',
  env,
  config: linkConfig,
  register: linkService,
  async prepare({ database, config, log }) {
    return startRetention((now) => deleteExpired(database, now, { auditDays: config.KEEP_AUDIT_DAYS }), log);
  },
});
