import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type TransferApp } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { lockedApp } from '../common/locked-app.ts';
import { lockedTeam } from '../common/locked-team.ts';
import { hasTooManyApps } from '../common/too-many-apps.ts';
import { refuseWithout } from '../domain/membership.ts';
import type { Rules } from '../domain/rules.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function transferApp(account: AccountRepository, rules: Rules): One<typeof TransferApp> {
  return async ({ actor, appId, teamId }, context): Promise<Outcome<typeof TransferApp>> => {
    const { now } = context;
    const asked = { command: 'TransferApp', actor, context };
    const change = await account.change(asked, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'owner', now });
      if ('refusal' in found) return found;
      const to = await lockedTeam(account, tx, teamId);
      if ('refusal' in to) return to;
      const refused = refuseWithout(to.members, actor, 'owner');
      if (refused) return refuse(refused);
      const { teamId: from } = found.app;
      if (from !== teamId && (await hasTooManyApps(account, tx, { teamId, actor, rules })))
        return refuse('TOO_MANY_APPS');
      const app = await account.apps.setTeam(tx, appId, teamId);
      const said = { subject: appId, appId, before: { teamId: from }, after: { teamId } };
      // The audit log of both teams gets an entry.
      const other = { ...asked, context: { id: context.idFor('audit'), now } };
      if (from !== teamId) await account.note(tx, other, { ...said, teamId: from });
      const done = { teamId, ...stateOf(app, await account.apps.hostsOf(tx, appId)) };
      return { ...said, teamId, done };
    });
    if ('refusal' in change) return change;
    const { teamId: _, ...state } = change.done;
    return { reply: { teamId }, events: [told(AppChanged, { ...state, appId })] };
  };
}
