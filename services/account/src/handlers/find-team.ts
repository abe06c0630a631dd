import type { One } from '@landfall/bus';
import type { FindTeam } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findTeam(account: AccountRepository): One<typeof FindTeam> {
  return async ({ teamId }) => {
    const team = await account.teams.find(teamId);
    return team ? { reply: { team } } : refuse('TEAM_NOT_FOUND');
  };
}
