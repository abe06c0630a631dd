import type { One, Outcome } from '@landfall/bus';
import { type AddDomain, MAX_DOMAINS } from '@landfall/contracts';
import { lockedApp } from '../common/locked-app.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/**
 * Adds a claim of a domain. It sends no event, because no cached copy changes: the domain is served only after
 * verification.
 */
export function addDomain(account: AccountRepository): One<typeof AddDomain> {
  return async ({ actor, appId, domain: name, token }, context): Promise<Outcome<typeof AddDomain>> => {
    const { id, now } = context;
    const change = await account.change({ command: 'AddDomain', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const own = await account.domains.ofApp(tx, appId);
      if (own.some(({ domain }) => domain === name)) return refuse('DOMAIN_EXISTS');
      if (await account.apps.hostOwner(tx, name)) return refuse('DOMAIN_TAKEN');
      if (own.length >= MAX_DOMAINS) return refuse('TOO_MANY_DOMAINS');
      const domain = await account.domains.insert(tx, { id, appId, domain: name, token, now });
      return { subject: id, teamId: found.app.teamId, appId, after: { domain: name }, done: { domain } };
    });
    return 'refusal' in change ? change : { reply: change.done };
  };
}
