import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type UpdateApp } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { isInstanceOwner } from '../common/instance-owner.ts';
import { lockedApp } from '../common/locked-app.ts';
import { difference } from '../domain/difference.ts';
import { hasLasting } from '../domain/identity-secrets.ts';
import type { Rules } from '../domain/rules.ts';
import { applyChange } from '../domain/settings.ts';
import { isReserved } from '../domain/subdomain.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function updateApp(account: AccountRepository, rules: Rules): One<typeof UpdateApp> {
  return async ({ actor, appId, ifVersion, ...wanted }, context): Promise<Outcome<typeof UpdateApp>> => {
    const { now } = context;
    const change = await account.change({ command: 'UpdateApp', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const { app: before } = found;
      if (ifVersion !== null && ifVersion !== before.version)
        return { refusal: { code: 'VERSION_MISMATCH', facts: { version: before.version } } };
      const subdomain = wanted.subdomain ?? before.subdomain;
      if (subdomain !== before.subdomain) {
        if (isReserved(subdomain)) return refuse('SUBDOMAIN_RESERVED');
        const owner = await account.apps.hostOwner(tx, subdomain);
        // Only the app itself may take back a name that it gave up.
        if (owner && owner !== before.id) return refuse('SUBDOMAIN_TAKEN');
        const isFull = !owner && (await account.apps.countFormer(tx, appId)) >= rules.formerSubdomains;
        if (isFull && !(await isInstanceOwner(account, tx, actor))) return refuse('TOO_MANY_SUBDOMAINS');
      }
      const {
        name = before.name,
        primaryDomain = before.primaryDomain,
        archived = before.archivedAt !== null,
      } = wanted;
      if (primaryDomain !== null && !before.domains.includes(primaryDomain)) return refuse('DOMAIN_NOT_VERIFIED');
      const archivedAt = archived ? (before.archivedAt ?? now.toISOString()) : null;
      const settings = applyChange(before, wanted.settings);
      if (settings.identity !== 'off' && before.identity === 'off') {
        if (!hasLasting((await account.apps.identitySecrets(appId, tx)) ?? [])) return refuse('IDENTITY_SECRET_NEEDED');
      }
      const after = { name, subdomain, primaryDomain, archivedAt, settings };
      const app = await account.apps.update(tx, before, after, now);
      const done = { app, hosts: await account.apps.hostsOf(tx, appId) };
      return { subject: appId, teamId: app.teamId, appId, ...difference(before, app), done };
    });
    if ('refusal' in change) return change;
    const { app, hosts } = change.done;
    return { reply: { app }, events: [told(AppChanged, stateOf(app, hosts))] };
  };
}
