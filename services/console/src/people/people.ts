// Routes of the people of the installation, for its owners.
import { nextCursor, readCursor } from '@landfall/contracts';
import { z } from 'zod';
import { next, pageQuery, personView, viewPerson } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

export const listPeople = manageRoute({
  method: 'GET',
  path: '/api/manage/people',
  name: 'listPeople',
  summary: 'List all people of the installation',
  needs: 'instance-owner',
  query: pageQuery,
  reply: z.object({ people: z.array(personView), next: next() }),
  errors: [],
  async handle({ query: { limit, cursor = null } }, { account, sealer }) {
    const people = await account.people.list(limit, readCursor(cursor));
    return {
      people: people.map((person) => viewPerson(person, sealer)),
      next: nextCursor(people, limit, (person) => person.createdAt),
    };
  },
});
