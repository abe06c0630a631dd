import type { ListKeys } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function listKeys(account: AccountRepository): One<typeof ListKeys> {
  return async ({ appId }) => {
    const keys = await account.listKeys(appId);
    return keys ? { reply: { keys } } : { refusal: { code: 'APP_NOT_FOUND', facts: {} } };
  };
}
