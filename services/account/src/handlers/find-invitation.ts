import type { One } from '@landfall/bus';
import type { FindInvitation } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findInvitation(account: AccountRepository): One<typeof FindInvitation> {
  return async ({ codeHash }, { now }) => {
    const found = await account.teams.findInvitation(codeHash, now);
    if (!found) return refuse('INVITATION_NOT_FOUND');
    return { reply: { invitation: found.invitation, teamName: found.team.name } };
  };
}
