import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type CreateApp } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { hasTooManyApps } from '../common/too-many-apps.ts';
import { has } from '../domain/rights.ts';
import type { Rules } from '../domain/rules.ts';
import { isReserved } from '../domain/subdomain.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function createApp(account: AccountRepository, rules: Rules): One<typeof CreateApp> {
  return async ({ actor, name, subdomain, settings, ...wanted }, context): Promise<Outcome<typeof CreateApp>> => {
    if (isReserved(subdomain)) return refuse('SUBDOMAIN_RESERVED');
    // A new app has no secret to check a token with.
    if (settings.identity !== 'off') return refuse('IDENTITY_SECRET_NEEDED');
    const { id, now } = context;
    const change = await account.change({ command: 'CreateApp', actor, context }, async (tx) => {
      // An app without a team in the request belongs to the first owner's team.
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
    // A recent request for this host may have left it in caches as unknown. The event clears it at once.
    return { reply: { app }, events: [told(AppChanged, stateOf(app, [app.subdomain]))] };
  };
}
