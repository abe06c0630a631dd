import { type One, type Outcome, told } from '@landfall/bus';
import { PersonChanged, type RenamePerson } from '@landfall/contracts';
import { isThemselves } from '../common/themselves.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function renamePerson(account: AccountRepository): One<typeof RenamePerson> {
  return async ({ actor, userId, name }, context): Promise<Outcome<typeof RenamePerson>> => {
    const change = await account.change({ command: 'RenamePerson', actor, context }, async (tx) => {
      const known = await account.people.lock(tx, userId);
      if (!known || !isThemselves(actor, userId)) return refuse('PERSON_NOT_FOUND');
      const person = await account.people.rename(tx, userId, name);
      return { subject: userId, before: { name: known.person.name }, after: { name }, done: { person } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId })] };
  };
}
