import type { One } from '@landfall/bus';
import type { ListKeys } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listKeys(account: AccountRepository): One<typeof ListKeys> {
  return async ({ appId }) => {
    const keys = await account.keys.list(appId);
    return keys ? { reply: { keys } } : refuse('APP_NOT_FOUND');
  };
}
