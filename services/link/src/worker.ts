// The link service as a worker: its settings, and the job that deletes expired rows. The service's own process runs it.
import {
  AuditRetentionConfig,
  readWorkerConfig,
  startRetention,
  WorkerConfig,
  type WorkerOptions,
} from '@landfall/worker';
import { z } from 'zod';
import { deleteExpired } from './retention.ts';
import { linkService, warnWithoutSearch } from './service.ts';

export const LinkConfig = z.object({ ...WorkerConfig.shape, ...AuditRetentionConfig.shape });

export const linkWorker = (env: NodeJS.ProcessEnv): WorkerOptions<z.output<typeof LinkConfig>> => ({
  service: 'link',
  env,
  config: (env) => readWorkerConfig(LinkConfig, env),
  register: linkService,
  async prepare({ database, config, log }) {
    await warnWithoutSearch(database, log);
    return startRetention((now) => deleteExpired(database, now, config), log);
  },
});
