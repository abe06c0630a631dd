import type { One } from '@landfall/bus';
import type { FindInvitation } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import { refuse } from '../refuse.ts';

export function findInvitation(account: AccountRepository): One<typeof FindInvitation> {
  return async ({ codeHash }, { now }) => {
    const found = await account.teams.findInvitation(codeHash, now);
    if (!found) return refuse('INVITATION_NOT_FOUND');
    return { reply: { invitation: found.invitation, teamName: found.team.name } };
  };
}
