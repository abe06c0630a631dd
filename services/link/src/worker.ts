// The link service as a worker: what its own process runs.
import type { WorkerConfig, WorkerOptions } from '@landfall/worker';
import { linkConfig } from './config.ts';
import { linkService } from './service.ts';

export const linkWorker = (env: NodeJS.ProcessEnv): WorkerOptions<WorkerConfig> => ({
  service: 'link',
  env,
  config: linkConfig,
  register: linkService,
});
