import type { One } from '@landfall/bus';
import type { ListOwnerTokens } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listOwnerTokens(account: AccountRepository): One<typeof ListOwnerTokens> {
  return async () => ({ reply: { tokens: await account.tokens.listOwners() } });
}
