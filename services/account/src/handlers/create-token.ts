import type { One, Outcome } from '@landfall/bus';
import type { CreateToken } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/**
 * Creates the operator's token if it does not exist. An existing token stays unchanged, so each start can call this.
 */
export function createToken(account: AccountRepository): One<typeof CreateToken> {
  return async ({ hash, label }, { id, now }): Promise<Outcome<typeof CreateToken>> => ({
    reply: { tokenId: await account.tokens.ensure({ id, hash, label, now }) },
  });
}
