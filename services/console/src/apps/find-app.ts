// Answers the services that need an app, by its id or by a host name.
import type { Handler } from '@landfall/bus';
import type { FindApp, FindHost } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function findApp(account: AccountRepository): Handler<typeof FindApp> {
  return async (batch) => {
    const found = await account.apps.find(batch.map((message) => message.data.appId));
    return batch.map((message) => {
      const app = found.get(message.data.appId);
      return app ? { reply: { app } } : { refusal: { code: 'APP_NOT_FOUND', facts: {} } };
    });
  };
}

export function findHost(account: AccountRepository): Handler<typeof FindHost> {
  return async (batch) => {
    const found = await account.apps.findHosts(batch.map((message) => message.data.host));
    return batch.map((message) => {
      const app = found.get(message.data.host);
      return app ? { reply: { app } } : { refusal: { code: 'APP_NOT_FOUND', facts: {} } };
    });
  };
}
