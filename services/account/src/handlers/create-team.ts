import { type One, type Outcome, told } from '@landfall/bus';
import { type CreateTeam, PersonChanged } from '@landfall/contracts';
import type { Rules } from '../domain/rules.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function createTeam(account: AccountRepository, rules: Rules): One<typeof CreateTeam> {
  return async ({ actor, name }, context): Promise<Outcome<typeof CreateTeam>> => {
    const { id, now } = context;
    const { kind, userId } = actor;
    // Only a person can be the owner, and every team has an owner from the start.
    if (kind !== 'person' || userId === null) return refuse('FORBIDDEN');
    const change = await account.change({ command: 'CreateTeam', actor, context }, async (tx) => {
      const found = await account.people.lock(tx, userId);
      if (!found) return refuse('FORBIDDEN');
      if (!found.person.instanceOwner) {
        if (rules.teamCreation === 'instance-owner') return refuse('FORBIDDEN');
        if ((await account.teams.countOwned(tx, userId)) >= rules.teamsPerPerson) return refuse('TOO_MANY_TEAMS');
      }
      const team = await account.teams.insert(tx, { id, name, now });
      await account.teams.addMember(tx, { teamId: id, userId, role: 'owner', now });
      return { subject: id, teamId: id, after: { name }, done: { team } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId })] };
  };
}
