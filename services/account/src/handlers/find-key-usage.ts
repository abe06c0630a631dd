import type { One } from '@landfall/bus';
import type { FindKeyUsage } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findKeyUsage(account: AccountRepository): One<typeof FindKeyUsage> {
  return async ({ appId, keyId }, { now }) => {
    const usage = await account.keys.usage(appId, keyId, now);
    return usage ? { reply: usage } : refuse('KEY_NOT_FOUND');
  };
}
