import type { One } from '@landfall/bus';
import type { ListDomains } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listDomains(account: AccountRepository): One<typeof ListDomains> {
  return async ({ appId }) => {
    const domains = await account.domains.list(appId);
    return domains ? { reply: { domains } } : refuse('APP_NOT_FOUND');
  };
}
