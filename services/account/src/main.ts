// Runs the account service as a process of its own.
import { runWorker } from '@landfall/worker';
import { accountConfig } from './config.ts';
import { storeOwnerToken } from './owner-token.ts';
import { accountService } from './service.ts';

await runWorker({
  service: 'account',
  env: process.env,
  config: accountConfig,
  register: accountService,
  async prepare({ database, config }) {
    if (config.OWNER_TOKEN) await storeOwnerToken(database, config.OWNER_TOKEN, new Date());
    return undefined;
  },
});
