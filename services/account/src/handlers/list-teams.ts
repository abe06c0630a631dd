import type { One } from '@landfall/bus';
import { type ListTeams, nextCursor, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listTeams(account: AccountRepository): One<typeof ListTeams> {
  return async ({ userId, limit, cursor }) => {
    const teams = await account.teams.list(userId, limit, readCursor(cursor));
    return { reply: { teams, next: nextCursor(teams, limit, (team) => team.createdAt) } };
  };
}
