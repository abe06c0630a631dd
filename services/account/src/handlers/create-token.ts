import type { One, Outcome } from '@landfall/bus';
import type { CreateToken } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/** A token that exists already is left as it is, so that a start can make sure of its own. */
export function createToken(account: AccountRepository): One<typeof CreateToken> {
  return async ({ hash, label }, { id, now }): Promise<Outcome<typeof CreateToken>> => ({
    reply: { tokenId: await account.tokens.ensure({ id, hash, label, now }) },
  });
}
