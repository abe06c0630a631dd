import { type Outcome, told } from '@landfall/bus';
import { AppChanged, type UpdateApp } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import { applyChange } from '../domain/settings.ts';
import { isReserved } from '../domain/subdomain.ts';
import type { One } from './one.ts';

export function updateApp(account: AccountRepository): One<typeof UpdateApp> {
  return async (wanted, { id, now }): Promise<Outcome<typeof UpdateApp>> => {
    const change = await account.change({ id, now, command: 'UpdateApp' }, async (tx) => {
      const before = await account.lockApp(tx, wanted.appId);
      if (!before) return { refused: 'APP_NOT_FOUND' };
      const subdomain = wanted.subdomain ?? before.subdomain;
      if (subdomain !== before.subdomain) {
        if (isReserved(subdomain)) return { refused: 'SUBDOMAIN_RESERVED' };
        const owner = await account.hostOwner(tx, subdomain);
        // An app may take back a name that it gave up; nobody else may.
        if (owner && owner !== before.id) return { refused: 'SUBDOMAIN_TAKEN' };
      }
      const after = { name: wanted.name ?? before.name, subdomain, settings: applyChange(before, wanted.settings) };
      const app = await account.updateApp(tx, before, after, now);
      return { subject: app.id, done: { app, hosts: await account.hostsOf(tx, app.id) } };
    });
    if ('refused' in change) return { refusal: { code: change.refused, facts: {} } };
    const { app, hosts } = change.done;
    return { reply: { app }, events: [told(AppChanged, { appId: app.id, version: app.version, hosts })] };
  };
}
