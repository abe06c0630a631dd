import { type One, type Outcome, told } from '@landfall/bus';
import { type App, AppChanged, type RemoveDomain } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { stateOf } from '../common/app-changed.ts';
import { lockedApp } from '../common/locked-app.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function removeDomain(account: AccountRepository): One<typeof RemoveDomain> {
  return async ({ actor, appId, domainId }, context): Promise<Outcome<typeof RemoveDomain>> => {
    const { now } = context;
    const change = await account.change({ command: 'RemoveDomain', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return refuse(found.refusal.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'DOMAIN_NOT_FOUND');
      const domain = await account.domains.findOf(tx, appId, domainId);
      if (!domain) return refuse('DOMAIN_NOT_FOUND');
      const hosts = [...new Set([...(await account.apps.hostsOf(tx, appId)), domain.domain])];
      await account.domains.remove(tx, domain);
      const app = domain.verifiedAt === null ? found.app : await without(tx, found.app, domain.domain);
      const before = { domain: domain.domain, verifiedAt: domain.verifiedAt };
      return { subject: domainId, teamId: found.app.teamId, appId, before, done: stateOf(app, hosts) };
    });
    if ('refusal' in change) return change;
    return { reply: {}, events: [told(AppChanged, { ...change.done, appId })] };
  };

  /** If the removed domain was the primary domain, links use the subdomain again. */
  function without(tx: PrismaTransaction, { id, primaryDomain }: App, domain: string): Promise<App> {
    return account.apps.setDomains(tx, id, primaryDomain === domain ? null : primaryDomain);
  }
}
