import type { OwnerToken, Token } from '@landfall/api-client';
import { table } from '../table.ts';
import { allOf, got } from './api.ts';
import { type Action, type Given, option, resource } from './resource.ts';

const OWNER_TOKENS = '/api/manage/owner-tokens';
const TEAM_TOKENS = '/api/manage/teams/{teamId}/tokens';

function expiry({ text: { expires }, wrong }: Given): string | null {
  if (expires === undefined) return null;
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(expires) ? Date.parse(expires) : Number.NaN;
  if (Number.isNaN(at)) throw wrong(`--expires must be a date such as 2027-01-31, not "${expires}"`);
  return new Date(at).toISOString();
}

const ofTeam = option('--team <id>', 'tokens of people that act in this team');

const tokenActions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists owner tokens, or tokens of a team.',
    options: [ofTeam],
    async run(given, api) {
      const { team: teamId } = given.text;
      const { tokens }: { tokens: (OwnerToken & Partial<Token>)[] } = await (teamId === undefined
        ? got(api.GET(OWNER_TOKENS))
        : got(api.GET(TEAM_TOKENS, { params: { path: { teamId } } })));
      const lines = table(tokens, {
        ID: ({ id }) => id,
        LABEL: ({ label }) => label,
        TOKEN: ({ hint }) => hint,
        SCOPE: ({ scope }) => scope ?? 'owner',
        PERSON: ({ userId }) => userId,
        EXPIRES: ({ expiresAt }) => expiresAt,
        'LAST USED': ({ lastUsedAt }) => lastUsedAt,
      });
      return { json: { tokens }, lines };
    },
  },
  {
    name: 'create',
    description: 'Makes an owner token, and prints it once.',
    options: [
      option('--label <text>', 'its name in lists'),
      option('--expires <date>', 'the last day that it works, such as 2027-01-31'),
    ],
    async run(given, api) {
      const body = { label: given.text.label ?? '', expiresAt: expiry(given) };
      const answer = await got(api.POST(OWNER_TOKENS, { body }));
      const lines = [`The owner token ${answer.token.id}. It is shown this once, and kept nowhere.`];
      return { json: answer, once: answer.plaintext, lines };
    },
  },
  {
    name: 'revoke',
    places: ['<token id>'],
    description: 'Revokes a token. It stops working at once.',
    options: [ofTeam],
    async run(given, api) {
      const { team: teamId } = given.text;
      const tokenId = given.places[0]!;
      const answer = await (teamId === undefined
        ? got(api.DELETE(`${OWNER_TOKENS}/{tokenId}`, { params: { path: { tokenId } } }))
        : got(api.DELETE(`${TEAM_TOKENS}/{tokenId}`, { params: { path: { teamId, tokenId } } })));
      return { json: answer, lines: [`${answer.token.id} is revoked.`] };
    },
  },
];

export const addTokens = resource(
  'tokens',
  'List, make and revoke owner tokens, and revoke those of a team.',
  tokenActions,
);

const userActions: readonly Action[] = [
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
        'SECOND FACTOR': ({ secondFactor }) => (secondFactor ? 'yes' : 'no'),
        OWNER: ({ instanceOwner }) => (instanceOwner ? 'of the installation' : ''),
        SINCE: ({ createdAt }) => createdAt,
      });
      return { json: { people }, lines };
    },
  },
  {
    name: 'remove-second-factor',
    places: ['<email>'],
    description: 'Removes the authenticator app, the passkeys and the recovery codes of a person who lost them.',
    async run({ places: [email] }, api) {
      const answer = await got(api.POST('/api/manage/people/remove-second-factor', { body: { email: email! } }));
      return {
        json: answer,
        lines: [`${answer.person.email} signs in with the password alone, until they set one up.`],
      };
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

export const addUsers = resource(
  'users',
  'List people, reset their passwords, and remove their second factors.',
  userActions,
);
