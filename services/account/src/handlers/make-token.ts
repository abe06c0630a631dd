import type { One, Outcome } from '@landfall/bus';
import type { MakeToken } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function makeToken(account: AccountRepository): One<typeof MakeToken> {
  return async ({ actor, ...wanted }, context): Promise<Outcome<typeof MakeToken>> => {
    const { id, now } = context;
    const { userId, teamId, scope, label, expiresAt } = wanted;
    // A person can only make tokens for themselves, and a token cannot make tokens.
    if (actor.kind !== 'person' || actor.userId !== userId) return refuse('FORBIDDEN');
    const change = await account.change({ command: 'MakeToken', actor, context }, async (tx) => {
      if ((await account.teams.roleOf(tx, actor, teamId, now)) === null) return refuse('TEAM_NOT_FOUND');
      const token = await account.tokens.insert(tx, { ...wanted, id, now });
      return { subject: id, teamId, after: { scope, label, expiresAt }, done: { token } };
    });
    return 'refusal' in change ? change : { reply: change.done };
  };
}
