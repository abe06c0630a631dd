// Locks the team of a command. Its members do not change until the command is done.

import type { Member, Team } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { type Refused, refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export async function lockedTeam(
  account: AccountRepository,
  tx: PrismaTransaction,
  teamId: string,
): Promise<{ team: Team; members: Member[] } | Refused<'TEAM_NOT_FOUND'>> {
  const team = await account.teams.lock(tx, teamId);
  return team ? { team, members: await account.teams.members(teamId, tx) } : refuse('TEAM_NOT_FOUND');
}
