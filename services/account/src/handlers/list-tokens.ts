import type { One } from '@landfall/bus';
import type { ListTokens } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listTokens(account: AccountRepository): One<typeof ListTokens> {
  return async (of) => ({ reply: { tokens: await account.tokens.list(of) } });
}
