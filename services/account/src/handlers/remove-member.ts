import { type One, type Outcome, told } from '@landfall/bus';
import { PersonChanged, type RemoveMember } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { noLongerGiven } from '../domain/invitation.ts';
import { refuseRemoval } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function removeMember(account: AccountRepository): One<typeof RemoveMember> {
  return async ({ actor, teamId, userId }, context): Promise<Outcome<typeof RemoveMember>> => {
    const { now } = context;
    const change = await account.change({ command: 'RemoveMember', actor, context }, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const refused = refuseRemoval(found.members, actor, userId);
      if (refused) return refuse(refused);
      const { role } = found.members.find((one) => one.userId === userId)!;
      await account.teams.removeMember(tx, teamId, userId);
      // The tokens and invitations of the member end for ever. A member who joins again does not get them back.
      await account.tokens.revokeOfMember(tx, teamId, userId, now);
      await account.teams.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(null) }, now);
      return { subject: userId, teamId, before: { role }, done: {} };
    });
    if ('refusal' in change) return change;
    return { reply: {}, events: [told(PersonChanged, { userId })] };
  };
}
