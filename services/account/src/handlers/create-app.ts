import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type CreateApp } from '@landfall/contracts';
import { hasTooManyApps } from '../common/too-many-apps.ts';
import { has } from '../domain/rights.ts';
import type { Rules } from '../domain/rules.ts';
import { isReserved } from '../domain/subdomain.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function createApp(account: AccountRepository, rules: Rules): One<typeof CreateApp> {
  return async ({ actor, name, subdomain, settings, ...wanted }, context): Promise<Outcome<typeof CreateApp>> => {
    if (isReserved(subdomain)) return refuse('SUBDOMAIN_RESERVED');
    // It has no secret yet that would check a token.
    if (settings.identity !== 'off') return refuse('IDENTITY_SECRET_NEEDED');
    const { id, now } = context;
    const change = await account.change({ command: 'CreateApp', actor, context }, async (tx) => {
      // An app that the operator makes without a team belongs to the team of the first owner.
      const team = wanted.teamId ? await account.teams.lock(tx, wanted.teamId) : await account.teams.first(tx);
      const teamId = team?.id ?? null;
      if (wanted.teamId && !team) return refuse('TEAM_NOT_FOUND');
      const role = await account.teams.roleOf(tx, actor, teamId, now);
      if (role === null) return refuse('TEAM_NOT_FOUND');
      if (!has(role, 'admin')) return refuse('FORBIDDEN');
      if (await hasTooManyApps(account, tx, { teamId, actor, rules })) return refuse('TOO_MANY_APPS');
      if (await account.apps.hostOwner(tx, subdomain)) return refuse('SUBDOMAIN_TAKEN');
      const app = await account.apps.insert(tx, { id, teamId, name, subdomain, settings, plan: rules.plan, now });
      return { subject: id, teamId, appId: id, after: { name, subdomain }, done: { app } };
    });
    if ('refusal' in change) return change;
    const { app } = change.done;
    // A host that was asked for a moment ago may be remembered as unknown: who keeps copies is told at once.
    return { reply: { app }, events: [told(AppChanged, { appId: id, version: app.version, hosts: [app.subdomain] })] };
  };
}
