import { type One, type Outcome, told } from '@landfall/bus';
import { type RevokeOwnerToken, TokenRevoked } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function revokeOwnerToken(account: AccountRepository): One<typeof RevokeOwnerToken> {
  return async ({ actor, tokenId }, context): Promise<Outcome<typeof RevokeOwnerToken>> => {
    if (actor.kind !== 'operator') return refuse('FORBIDDEN');
    const change = await account.change({ command: 'RevokeOwnerToken', actor, context }, async (tx) => {
      const done = await account.tokens.revokeOwner(tx, tokenId, context.now);
      return done ? { subject: tokenId, before: { label: done.token.label }, done } : refuse('TOKEN_NOT_FOUND');
    });
    if ('refusal' in change) return change;
    const { token, hash } = change.done;
    return { reply: { token }, events: [told(TokenRevoked, { tokenId, hash })] };
  };
}
