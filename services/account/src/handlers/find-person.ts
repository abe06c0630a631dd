import type { One } from '@landfall/bus';
import type { FindPerson } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findPerson(account: AccountRepository): One<typeof FindPerson> {
  return async ({ userId }) => {
    const known = await account.people.find(userId);
    if (!known) return refuse('PERSON_NOT_FOUND');
    const [teams, identities] = await Promise.all([
      account.teams.ofPerson(userId),
      account.identities.ofPerson(userId),
    ]);
    return { reply: { person: known.person, teams, identities } };
  };
}
