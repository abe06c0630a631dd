import { type One, type Outcome, told } from '@landfall/bus';
import { KeyChanged, type RevokeKey } from '@landfall/contracts';
import { lockedApp } from '../common/locked-app.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function revokeKey(account: AccountRepository): One<typeof RevokeKey> {
  return async ({ actor, appId, keyId }, context): Promise<Outcome<typeof RevokeKey>> => {
    const { now } = context;
    const change = await account.change({ command: 'RevokeKey', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return refuse(found.refusal.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'KEY_NOT_FOUND');
      const done = await account.keys.revoke(tx, appId, keyId, now);
      if (!done) return refuse('KEY_NOT_FOUND');
      return { subject: keyId, teamId: found.app.teamId, appId, before: { label: done.key.label }, done };
    });
    if ('refusal' in change) return change;
    const { key, hash } = change.done;
    return {
      reply: { key },
      events: [told(KeyChanged, { appId, keyId, hash, revoked: true, expiresAt: key.expiresAt })],
    };
  };
}
