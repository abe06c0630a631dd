import type { One } from '@landfall/bus';
import { type ListPeople, nextCursor, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listPeople(account: AccountRepository): One<typeof ListPeople> {
  return async ({ limit, cursor }) => {
    const people = await account.people.list(limit, readCursor(cursor));
    return { reply: { people, next: nextCursor(people, limit, (person) => person.createdAt) } };
  };
}
