import { type One, type Outcome, told } from '@landfall/bus';
import { type RenameTeam, TeamChanged } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { refuseWithout } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function renameTeam(account: AccountRepository): One<typeof RenameTeam> {
  return async ({ actor, teamId, name, ifVersion }, context): Promise<Outcome<typeof RenameTeam>> => {
    const change = await account.change({ command: 'RenameTeam', actor, context }, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const refused = refuseWithout(found.members, actor, 'owner');
      if (refused) return refuse(refused);
      const { name: before, version } = found.team;
      if (ifVersion !== null && ifVersion !== version)
        return { refusal: { code: 'VERSION_MISMATCH', facts: { version } } };
      const team = await account.teams.rename(tx, teamId, name);
      return { subject: teamId, teamId, before: { name: before }, after: { name }, done: { team } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(TeamChanged, { teamId })] };
  };
}
