import { type One, type Outcome, told } from '@landfall/bus';
import { type CreateKey, KeyChanged } from '@landfall/contracts';
import { lockedApp } from '../common/locked-app.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function createKey(account: AccountRepository): One<typeof CreateKey> {
  return async ({ actor, appId, kind, hash, hint, label }, context): Promise<Outcome<typeof CreateKey>> => {
    const { id, now } = context;
    const change = await account.change({ command: 'CreateKey', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const key = await account.keys.insert(tx, { id, appId, kind, hash, hint, label, now });
      return { subject: key.id, teamId: found.app.teamId, appId, after: { kind, label }, done: { key } };
    });
    if ('refusal' in change) return change;
    const { key } = change.done;
    return {
      reply: { key },
      events: [told(KeyChanged, { appId, keyId: key.id, hash, revoked: false, expiresAt: null })],
    };
  };
}
