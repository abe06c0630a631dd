import type { One, Outcome } from '@landfall/bus';
import type { MakeOwnerToken } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function makeOwnerToken(account: AccountRepository): One<typeof MakeOwnerToken> {
  return async ({ actor, ...wanted }, context): Promise<Outcome<typeof MakeOwnerToken>> => {
    const { id, now } = context;
    if (actor.kind !== 'operator') return refuse('FORBIDDEN');
    const change = await account.change({ command: 'MakeOwnerToken', actor, context }, async (tx) => {
      const token = await account.tokens.insertOwner(tx, { ...wanted, id, now });
      return { subject: id, after: { label: wanted.label, expiresAt: wanted.expiresAt }, done: { token } };
    });
    return { reply: change.done };
  };
}
