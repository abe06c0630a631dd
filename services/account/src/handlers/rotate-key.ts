import { type One, type Outcome, told } from '@landfall/bus';
import { KeyChanged, type RotateKey } from '@landfall/contracts';
import { lockedApp } from '../common/locked-app.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function rotateKey(account: AccountRepository): One<typeof RotateKey> {
  return async (asked, context): Promise<Outcome<typeof RotateKey>> => {
    const { actor, appId, keyId, hash, hint, overlapSeconds } = asked;
    const { id, now } = context;
    const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000);
    const change = await account.change({ command: 'RotateKey', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return refuse(found.refusal.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'KEY_NOT_FOUND');
      const old = await account.keys.findOf(tx, appId, keyId);
      if (!old) return refuse('KEY_NOT_FOUND');
      // An expired key has already been rotated.
      if (old.key.revokedAt !== null || old.key.replacedBy !== null) return refuse('KEY_RETIRED');
      const { kind } = old.key;
      const label = asked.label ?? old.key.label;
      const key = await account.keys.insert(tx, { id, appId, kind, hash, hint, label, now });
      const replaced = await account.keys.replace(tx, keyId, { id, expiresAt });
      return {
        subject: keyId,
        teamId: found.app.teamId,
        appId,
        before: { label: old.key.label, expiresAt: old.key.expiresAt },
        after: { replacedBy: id, expiresAt: replaced.expiresAt, label },
        done: { key, replaced, oldHash: old.hash },
      };
    });
    if ('refusal' in change) return change;
    const { key, replaced, oldHash } = change.done;
    return {
      reply: { key, replaced },
      events: [
        told(KeyChanged, { appId, keyId: key.id, hash, revoked: false, expiresAt: null }),
        told(KeyChanged, { appId, keyId, hash: oldHash, revoked: false, expiresAt: replaced.expiresAt }),
      ],
    };
  };
}
