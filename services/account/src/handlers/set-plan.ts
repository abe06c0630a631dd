import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type SetPlan } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { isInstanceOwner } from '../common/instance-owner.ts';
import { difference } from '../domain/difference.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function setPlan(account: AccountRepository): One<typeof SetPlan> {
  return async ({ actor, appId, plan }, context): Promise<Outcome<typeof SetPlan>> => {
    const change = await account.change({ command: 'SetPlan', actor, context }, async (tx) => {
      const before = await account.apps.lock(tx, appId);
      if (!before) return refuse('APP_NOT_FOUND');
      if (!(await isInstanceOwner(account, tx, actor))) return refuse('FORBIDDEN');
      const app = await account.apps.setPlan(tx, appId, plan);
      const done = { app, hosts: await account.apps.hostsOf(tx, appId) };
      return { subject: appId, teamId: app.teamId, appId, ...difference(before, app), done };
    });
    if ('refusal' in change) return change;
    const { app, hosts } = change.done;
    return { reply: { app }, events: [told(AppChanged, stateOf(app, hosts))] };
  };
}
