import { type One, type Outcome, told } from '@landfall/bus';
import { PersonChanged, type RevokeToken } from '@landfall/contracts';
import { isThemselves } from '../common/themselves.ts';
import { has } from '../domain/rights.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function revokeToken(account: AccountRepository): One<typeof RevokeToken> {
  return async ({ actor, tokenId, userId, teamId }, context): Promise<Outcome<typeof RevokeToken>> => {
    const { now } = context;
    const change = await account.change({ command: 'RevokeToken', actor, context }, async (tx) => {
      const found = await account.tokens.get(tx, tokenId);
      const isMeant = found && (userId ?? found.userId) === found.userId && (teamId ?? found.teamId) === found.teamId;
      if (!isMeant) return refuse('TOKEN_NOT_FOUND');
      if (!isThemselves(actor, found.userId)) {
        const role = await account.teams.roleOf(tx, actor, found.teamId, now);
        if (role === null) return refuse('TOKEN_NOT_FOUND');
        if (actor.kind === 'token' || !has(role, 'admin')) return refuse('FORBIDDEN');
      }
      const token = await account.tokens.revoke(tx, tokenId, now);
      return { subject: tokenId, teamId: token.teamId, before: { label: token.label }, done: { token } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId: change.done.token.userId })] };
  };
}
