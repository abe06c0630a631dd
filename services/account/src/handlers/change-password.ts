import { hash } from 'node:crypto';
import { type One, type Outcome, told } from '@landfall/bus';
import { type ChangePassword, PersonChanged, type ReplyOf } from '@landfall/contracts';
import { checkPassword } from '../passwords/check-password.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { type Secrets, settable } from '../secrets.ts';

interface PasswordChanged {
  reply: ReplyOf<typeof ChangePassword>;
}

export function changePassword(account: AccountRepository, secrets: Secrets): One<typeof ChangePassword> {
  return async ({ actor, userId, current, next, session }, context): Promise<Outcome<typeof ChangePassword>> => {
    const { id, now } = context;

    async function make() {
      const known = await account.people.find(userId);
      if (!known || actor.kind !== 'person' || actor.userId !== userId) return refuse('PERSON_NOT_FOUND');
      // Failures here are counted separately. A thief of a session cannot guess the password, and the person's own
      // sign-ins are not delayed.
      const of = { emailHash: hash('sha256', `password of ${userId}`, 'base64url'), place: null };
      const attempt = { of, typed: secrets.sealer.open('password', current), stored: known.passwordHash };
      const checked = await checkPassword(account, secrets.passwords, attempt, context);
      if (!checked.right)
        return checked.waitSeconds > 0
          ? { refusal: { code: 'SIGN_IN_DELAYED' as const, facts: { seconds: checked.waitSeconds } } }
          : refuse('WRONG_CREDENTIALS');
      const password = await settable(secrets, next);
      if ('refusal' in password) return password;
      return account.change({ command: 'ChangePassword', actor, context }, async (tx) => {
        const locked = await account.people.lock(tx, userId);
        if (locked?.passwordHash !== known.passwordHash) return refuse('WRONG_CREDENTIALS');
        const person = await account.people.setPassword(tx, userId, password.passwordHash);
        await account.sessions.end(tx, { userId }, now);
        // The caller's session has just ended with the others, so there is no session to replace.
        const { replaces: _, ...fresh } = session;
        const opened = await account.sessions.insert(tx, { id, userId, ...fresh, now });
        await account.signIns.forget(tx, of);
        const done: PasswordChanged = { reply: { session: opened, person } };
        return { subject: userId, done };
      });
    }

    const before = await account.doneBefore<PasswordChanged>(id);
    const change = before ? { done: before } : await make();
    if ('refusal' in change) return change;
    return { reply: change.done.reply, events: [told(PersonChanged, { userId })] };
  };
}
