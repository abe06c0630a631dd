import type { One, Outcome } from '@landfall/bus';
import type { RevokeInvitation } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { refuseWithout } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function revokeInvitation(account: AccountRepository): One<typeof RevokeInvitation> {
  return async ({ actor, teamId, invitationId }, context): Promise<Outcome<typeof RevokeInvitation>> => {
    const change = await account.change({ command: 'RevokeInvitation', actor, context }, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const refused = refuseWithout(found.members, actor, 'admin');
      if (refused) return refuse(refused);
      const closed = await account.teams.closeInvitation(tx, { id: invitationId, teamId }, null, context.now);
      if (!closed) return refuse('INVITATION_NOT_FOUND');
      return { subject: invitationId, teamId, before: { role: closed.role }, done: {} };
    });
    return 'refusal' in change ? change : { reply: {} };
  };
}
