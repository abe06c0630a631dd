import { type Outcome, told } from '@landfall/bus';
import { KeyChanged, type RevokeKey } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function revokeKey(account: AccountRepository): One<typeof RevokeKey> {
  return async ({ appId, keyId }, { id, now }): Promise<Outcome<typeof RevokeKey>> => {
    const change = await account.change({ id, now, command: 'RevokeKey' }, async (tx) => {
      const done = await account.revokeKey(tx, appId, keyId, now);
      return done ? { subject: appId, done } : { refused: 'KEY_NOT_FOUND' };
    });
    if ('refused' in change) return { refusal: { code: change.refused, facts: {} } };
    const { key, hash } = change.done;
    return { reply: { key }, events: [told(KeyChanged, { appId, keyId, hash, revoked: true })] };
  };
}
