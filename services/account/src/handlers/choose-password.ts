import type { One, Outcome } from '@landfall/bus';
import type { ChoosePassword, ReplyOf } from '@landfall/contracts';
import { beginSession, personsChanged } from '../common/begin-session.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { type Secrets, settable } from '../secrets.ts';

interface PasswordChosen {
  reply: ReplyOf<typeof ChoosePassword>;
  left?: string | null;
}

export function choosePassword(account: AccountRepository, secrets: Secrets): One<typeof ChoosePassword> {
  return async (
    { codeHash, next, session, address, newDeviceHash },
    context,
  ): Promise<Outcome<typeof ChoosePassword>> => {
    const { id, now } = context;

    async function make() {
      const known = await account.people.findByResetCode(codeHash, now);
      if (!known) return refuse('CODE_UNKNOWN');
      const password = await settable(secrets, next);
      if ('refusal' in password) return password;
      const userId = known.person.id;
      const actor = { kind: 'person', userId, tokenId: null, address } as const;
      return account.change({ command: 'ChoosePassword', actor, context }, async (tx) => {
        await account.people.lock(tx, userId);
        // If two requests use the code at once, only one succeeds.
        if (!(await account.people.findByResetCode(codeHash, now, tx))) return refuse('CODE_UNKNOWN');
        await account.people.setPassword(tx, userId, password.passwordHash);
        const person = await account.people.confirm(tx, userId, now);
        await account.sessions.end(tx, { userId }, now);
        const begun = await beginSession(account, tx, { id, userId, made: session, now });
        await account.signIns.know(tx, userId, [newDeviceHash, address], now);
        const done: PasswordChosen = { reply: { session: begun.session, person }, left: begun.left };
        return { subject: userId, done };
      });
    }

    const before = await account.doneBefore<PasswordChosen>(id);
    const change = before ? { done: before } : await make();
    if ('refusal' in change) return change;
    const { reply, left } = change.done;
    return { reply, events: personsChanged(reply.person.id, left) };
  };
}
