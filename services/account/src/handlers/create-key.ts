import { type Outcome, told } from '@landfall/bus';
import { type CreateKey, KeyChanged } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function createKey(account: AccountRepository): One<typeof CreateKey> {
  return async ({ appId, hash, hint, label }, { id, now }): Promise<Outcome<typeof CreateKey>> => {
    const change = await account.change({ id, now, command: 'CreateKey' }, async (tx) => {
      if (!(await account.lockApp(tx, appId))) return { refused: 'APP_NOT_FOUND' };
      const key = await account.insertKey(tx, { id, appId, hash, hint, label, now });
      return { subject: appId, done: { key } };
    });
    if ('refused' in change) return { refusal: { code: change.refused, facts: {} } };
    const { key } = change.done;
    return { reply: { key }, events: [told(KeyChanged, { appId, keyId: key.id, hash, revoked: false })] };
  };
}
