import type { Handler } from '@landfall/bus';
import type { FindApp } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findApp(account: AccountRepository): Handler<typeof FindApp> {
  return async (batch) => {
    const found = await account.apps.find(batch.map((message) => message.data.appId));
    return batch.map((message) => {
      const app = found.get(message.data.appId);
      return app ? { reply: { app } } : { refusal: { code: 'APP_NOT_FOUND', facts: {} } };
    });
  };
}
