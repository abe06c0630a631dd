// The people of the installation.
import { table } from '../table.ts';
import { allOf, got } from './api.ts';
import { type Action, resource } from './resource.ts';

const actions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists people who have an account.',
    async run(_, api) {
      const people = await allOf(
        (query) => api.GET('/api/manage/people', { params: { query } }),
        (page) => page.people,
      );
      const lines = table(people, {
        ID: ({ id }) => id,
        EMAIL: ({ email }) => email,
        VERIFIED: ({ emailVerified }) => (emailVerified ? 'yes' : 'no'),
        NAME: ({ name }) => name,
        OWNER: ({ instanceOwner }) => (instanceOwner ? 'of the installation' : ''),
        SINCE: ({ createdAt }) => createdAt,
      });
      return { json: { people }, lines };
    },
  },
  {
    name: 'reset-password',
    places: ['<email>'],
    description: 'Ends the password and all sessions of a person. Prints the address where they choose a new password.',
    async run({ places: [email] }, api) {
      const answer = await got(api.POST('/api/manage/people/reset-password', { body: { email: email! } }));
      const { person, code, url, curl, expiresAt } = answer;
      const lines = [
        `For ${person.email} alone, once, until ${expiresAt}. Until they have chosen, nobody signs in as them.`,
        'They choose a new password at',
        '',
        `  ${url}`,
        '',
        'or, without the web app, with',
        '',
        curl,
      ];
      return { json: answer, once: code, lines };
    },
  },
];

export const addUsers = resource('users', 'List people, and reset their passwords.', actions);
