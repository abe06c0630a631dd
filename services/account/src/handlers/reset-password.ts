import { type One, type Outcome, told } from '@landfall/bus';
import { PersonChanged, type ResetPassword } from '@landfall/contracts';
import { RESET_MS } from '../domain/sign-in.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/** Removes the password at once, without waiting for the new one: another person may know the old password. */
export function resetPassword(account: AccountRepository): One<typeof ResetPassword> {
  return async ({ actor, email, codeHash }, context): Promise<Outcome<typeof ResetPassword>> => {
    const { now } = context;
    // With the code, the caller could sign in as the person. So only the operator may reset a password, and no member
    // of a team.
    if (actor.kind !== 'operator') return refuse('FORBIDDEN');
    const expiresAt = new Date(now.getTime() + RESET_MS);
    const change = await account.change({ command: 'ResetPassword', actor, context }, async (tx) => {
      const known = await account.people.findByEmail(email, tx);
      if (!known) return refuse('PERSON_NOT_FOUND');
      const userId = known.person.id;
      const person = await account.people.resetPassword(tx, userId, { codeHash, expiresAt });
      await account.sessions.end(tx, { userId }, now);
      await account.identities.forget(tx, userId);
      return { subject: userId, done: { person, expiresAt: expiresAt.toISOString() } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId: change.done.person.id })] };
  };
}
