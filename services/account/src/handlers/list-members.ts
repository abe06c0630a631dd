import type { One } from '@landfall/bus';
import type { ListMembers } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listMembers(account: AccountRepository): One<typeof ListMembers> {
  return async ({ teamId }, { now }) => {
    if (!(await account.teams.find(teamId))) return refuse('TEAM_NOT_FOUND');
    const members = await account.teams.members(teamId);
    return { reply: { members, invitations: await account.teams.invitations(teamId, now) } };
  };
}
