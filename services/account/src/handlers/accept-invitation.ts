import { type One, type Outcome, told } from '@landfall/bus';
import { type AcceptInvitation, PersonChanged } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { isThemselves } from '../common/themselves.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function acceptInvitation(account: AccountRepository): One<typeof AcceptInvitation> {
  return async ({ actor, userId, codeHash }, context): Promise<Outcome<typeof AcceptInvitation>> => {
    const { now } = context;
    const change = await account.change({ command: 'AcceptInvitation', actor, context }, async (tx) => {
      const offer = await account.teams.findInvitation(codeHash, now, tx);
      if (!offer || !isThemselves(actor, userId)) return refuse('INVITATION_NOT_FOUND');
      const { id: invitationId, role } = offer.invitation;
      if (!(await account.teams.isFor(tx, invitationId, userId))) return refuse('INVITED_OTHER');
      const found = await lockedTeam(account, tx, offer.team.id);
      if ('refusal' in found) return refuse('INVITATION_NOT_FOUND');
      const { team, members } = found;
      // Checked under the lock of the team, because the invitation may have been revoked a moment ago.
      const closed = await account.teams.closeInvitation(tx, { id: invitationId, teamId: team.id }, userId, now);
      if (!closed) return refuse('INVITATION_NOT_FOUND');
      const already = members.find((member) => member.userId === userId);
      if (!already) await account.teams.addMember(tx, { teamId: team.id, userId, role, now });
      const done = { team, role: already?.role ?? role };
      return { subject: userId, teamId: team.id, after: { invitationId, role: done.role }, done };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId })] };
  };
}
