import type { Handler } from '@landfall/bus';
import type { FindKey } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function findKey(account: AccountRepository): Handler<typeof FindKey> {
  return async (batch) => {
    const found = await account.keys.find(batch.map((message) => message.data.hash));
    return batch.map((message) => {
      const key = found.get(message.data.hash);
      return key ? { reply: key } : { refusal: { code: 'KEY_UNKNOWN', facts: {} } };
    });
  };
}
