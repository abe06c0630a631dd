import { type One, type Outcome, told } from '@landfall/bus';
import { type Member, PersonChanged, type SetRole } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { noLongerGiven } from '../domain/invitation.ts';
import { refuseRole } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function setRole(account: AccountRepository): One<typeof SetRole> {
  return async ({ actor, teamId, userId, role }, context): Promise<Outcome<typeof SetRole>> => {
    const change = await account.change({ command: 'SetRole', actor, context }, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const refused = refuseRole(found.members, actor, userId, role);
      if (refused) return refuse(refused);
      const before = found.members.find((one) => one.userId === userId)!;
      await account.teams.setRole(tx, teamId, userId, role);
      await account.teams.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(role) }, context.now);
      const member: Member = { ...before, role };
      return { subject: userId, teamId, before: { role: before.role }, after: { role }, done: { member } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId })] };
  };
}
