import type { One, Outcome } from '@landfall/bus';
import type { JoinByInvitation, ReplyOf } from '@landfall/contracts';
import { beginSession, personsChanged } from '../common/begin-session.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { type Secrets, settable } from '../secrets.ts';

interface Joined {
  reply: ReplyOf<typeof JoinByInvitation>;
  left?: string | null;
}

export function joinByInvitation(account: AccountRepository, secrets: Secrets): One<typeof JoinByInvitation> {
  return async (wanted, context): Promise<Outcome<typeof JoinByInvitation>> => {
    const { now, idFor } = context;
    const { codeHash, name, session, address, newDeviceHash } = wanted;

    async function make() {
      const found = await account.teams.findInvitation(codeHash, now);
      if (!found) return refuse('INVITATION_NOT_FOUND');
      const { team } = found;
      const { id: invitationId, email, role } = found.invitation;
      if (await account.people.findByEmail(email)) return refuse('PERSON_EXISTS');
      const password = await settable(secrets, wanted.password);
      if ('refusal' in password) return password;
      const userId = idFor('person');
      const actor = { kind: 'person', userId, tokenId: null, address } as const;
      return account.change({ command: 'JoinByInvitation', actor, context }, async (tx) => {
        await account.teams.lock(tx, team.id);
        const closed = await account.teams.closeInvitation(tx, { id: invitationId, teamId: team.id }, userId, now);
        if (!closed) return refuse('INVITATION_NOT_FOUND');
        const person = await account.people.insert(tx, {
          id: userId,
          email,
          name,
          ...password,
          instanceOwner: false,
          // Whoever made the invitation has its code, too, and may be the one who joins.
          confirmed: false,
          claimable: true,
          now,
        });
        await account.teams.addMember(tx, { teamId: team.id, userId, role, now });
        const begun = await beginSession(account, tx, { id: idFor('session'), userId, made: session, now });
        await account.signIns.know(tx, userId, [newDeviceHash, address], now);
        const after = { invitationId, role, email: secrets.sealer.open('email', email) };
        const done: Joined = { reply: { session: begun.session, person, team, role }, left: begun.left };
        return { subject: userId, teamId: team.id, after, done };
      });
    }

    const before = await account.doneBefore<Joined>(context.id);
    const change = before ? { done: before } : await make();
    if ('refusal' in change) return change;
    const { reply, left } = change.done;
    return { reply, events: personsChanged(reply.person.id, left) };
  };
}
