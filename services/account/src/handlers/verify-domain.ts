import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type VerifyDomain } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { lockedApp } from '../common/locked-app.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function verifyDomain(account: AccountRepository): One<typeof VerifyDomain> {
  return async ({ actor, appId, domainId, token }, context): Promise<Outcome<typeof VerifyDomain>> => {
    const { now } = context;
    const change = await account.change({ command: 'VerifyDomain', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return refuse(found.refusal.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'DOMAIN_NOT_FOUND');
      const claim = await account.domains.findOf(tx, appId, domainId);
      // The proof in DNS may belong to a claim that was removed.
      if (claim?.token !== token) return refuse('DOMAIN_NOT_FOUND');
      const domain = claim.verifiedAt === null ? await account.domains.verify(tx, claim, now) : claim;
      if (!domain) return refuse('DOMAIN_TAKEN');
      const app = await account.apps.setDomains(tx, appId, found.app.primaryDomain);
      const done = { domain, app, hosts: await account.apps.hostsOf(tx, appId) };
      return { subject: domainId, teamId: app.teamId, appId, after: { domain: domain.domain }, done };
    });
    if ('refusal' in change) return change;
    const { domain, app, hosts } = change.done;
    return { reply: { domain, app }, events: [told(AppChanged, stateOf(app, hosts))] };
  };
}
