// The account service as a worker, with the job that deletes expired rows. The account process runs this worker.
import { createSealer } from '@landfall/runtime';
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type AccountConfig, accountConfig, initOwnerOf, keepOf, rulesOf } from './config.ts';
import { ensureFirstOwner } from './first-owner.ts';
import { storeOwnerToken } from './owner-token.ts';
import type { Passwords } from './passwords/passwords.ts';
import { deleteExpired } from './retention.ts';
import { accountService } from './service.ts';

/** @param passwords for tests: hashes that cost less */
export const accountWorker = (env: NodeJS.ProcessEnv, passwords?: Passwords): WorkerOptions<AccountConfig> => ({
  service: 'account',
  env,
  config: accountConfig,
  register: ({ bus, database, config }) =>
    accountService({ bus, database, sealer: createSealer(config.SEAL_SECRET), rules: rulesOf(config), passwords }),
  async prepare({ database, config, log }) {
    const owner = initOwnerOf(config);
    if (owner) await ensureFirstOwner({ database, sealer: createSealer(config.SEAL_SECRET) }, owner, new Date());
    if (config.OWNER_TOKEN) await storeOwnerToken(database, config.OWNER_TOKEN, new Date());
    return startRetention((now) => deleteExpired(database, now, keepOf(config)), log);
  },
});
