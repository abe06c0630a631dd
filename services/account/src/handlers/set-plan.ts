import { type Outcome, told } from '@landfall/bus';
import { AppChanged, type SetPlan } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function setPlan(account: AccountRepository): One<typeof SetPlan> {
  return async ({ appId, plan }, { id, now }): Promise<Outcome<typeof SetPlan>> => {
    const change = await account.change({ id, now, command: 'SetPlan' }, async (tx) => {
      if (!(await account.lockApp(tx, appId))) return { refused: 'APP_NOT_FOUND' };
      const app = await account.setPlan(tx, appId, plan);
      return { subject: appId, done: { app, hosts: await account.hostsOf(tx, appId) } };
    });
    if ('refused' in change) return { refusal: { code: change.refused, facts: {} } };
    const { app, hosts } = change.done;
    return { reply: { app }, events: [told(AppChanged, { appId, version: app.version, hosts })] };
  };
}
