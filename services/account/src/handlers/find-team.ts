import type { One } from '@landfall/bus';
import type { FindTeam } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import { refuse } from '../refuse.ts';

export function findTeam(account: AccountRepository): One<typeof FindTeam> {
  return async ({ teamId }) => {
    const team = await account.teams.find(teamId);
    return team ? { reply: { team } } : refuse('TEAM_NOT_FOUND');
  };
}
