// The account service as a worker: what its own process runs.
import type { WorkerOptions } from '@landfall/worker';
import { type AccountConfig, accountConfig } from './config.ts';
import { storeOwnerToken } from './owner-token.ts';
import { accountService } from './service.ts';

export const accountWorker = (env: NodeJS.ProcessEnv): WorkerOptions<AccountConfig> => ({
  service: 'account',
  env,
  config: accountConfig,
  register: accountService,
  async prepare({ database, config }) {
    if (config.OWNER_TOKEN) await storeOwnerToken(database, config.OWNER_TOKEN, new Date());
    return undefined;
  },
});
