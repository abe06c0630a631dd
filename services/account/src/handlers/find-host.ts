import type { Handler } from '@landfall/bus';
import type { FindHost } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findHost(account: AccountRepository): Handler<typeof FindHost> {
  return async (batch) => {
    const found = await account.apps.findHosts(batch.map((message) => message.data.host));
    return batch.map((message) => {
      const app = found.get(message.data.host);
      return app ? { reply: { app } } : { refusal: { code: 'APP_NOT_FOUND', facts: {} } };
    });
  };
}
