// Locks the team of a change. Its members do not change until the change is done.
import type { Team } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { ApiError } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import type { Member } from '../teams/team-fields.ts';

/** @throws ApiError TEAM_NOT_FOUND */
export async function lockTeam(
  account: AccountRepository,
  tx: PrismaTransaction,
  teamId: string,
): Promise<{ team: Team; members: Member[] }> {
  const team = await account.teams.lock(tx, teamId);
  if (!team) throw new ApiError('TEAM_NOT_FOUND');
  return { team, members: await account.teams.members(teamId, tx) };
}
