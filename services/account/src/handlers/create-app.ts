import { type Outcome, told } from '@landfall/bus';
import { AppChanged, type CreateApp } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import { isReserved } from '../domain/subdomain.ts';
import type { One } from './one.ts';

export function createApp(account: AccountRepository): One<typeof CreateApp> {
  return async ({ name, subdomain, settings }, { id, now }): Promise<Outcome<typeof CreateApp>> => {
    if (isReserved(subdomain)) return { refusal: { code: 'SUBDOMAIN_RESERVED', facts: {} } };
    const change = await account.change({ id, now, command: 'CreateApp' }, async (tx) => {
      if (await account.hostOwner(tx, subdomain)) return { refused: 'SUBDOMAIN_TAKEN' };
      const app = await account.insertApp(tx, { id, name, subdomain, settings, now });
      return { subject: id, done: { app } };
    });
    if ('refused' in change) return { refusal: { code: change.refused, facts: {} } };
    const { app } = change.done;
    // A host that was asked for a moment ago may be remembered as unknown: who keeps copies is told at once.
    return { reply: { app }, events: [told(AppChanged, { appId: id, version: app.version, hosts: [app.subdomain] })] };
  };
}
