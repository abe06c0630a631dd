import { told } from '@landfall/bus';
import { nextCursor, PersonChanged, Role, readCursor, Scope, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { isClosed, roleIn } from '../access/authorise.ts';
import { identityView, viewIdentity } from '../oidc/identity-repository.ts';
import { emailText, next, pageQuery, personName } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { hasFactor } from '../second-factor/second-factor-repository.ts';
import { Person } from './person-repository.ts';

export const getMe = manageRoute('GET /api/manage/me', {
  summary: 'Get the caller and their role in each team',
  needs: 'signed-in',
  reply: z.object({
    kind: z
      .enum(['person', 'token', 'operator', 'visitor'])
      .describe('`visitor`: nobody is signed in, and the installation shows a demo to everyone.'),
    person: Person.nullable().describe('Null for the operator and for visitors.'),
    scope: Scope.nullable().describe(
      'The scope of a token. The token acts in one team only, never with more than this scope.',
    ),
    teams: z.array(
      z.object({
        id: z.uuid(),
        name: text(200),
        role: Role,
        closed: z
          .boolean()
          .describe('True: the team needs a second factor, and you have none. Set one up before anything else in it.'),
      }),
    ),
    identities: z
      .array(identityView)
      .describe('The OpenID Connect providers through which the person signs in. Empty for a token.'),
  }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ caller }, { account, provider, lookups }) {
    const nothing = { person: null, scope: null, teams: [], identities: [] };
    if (caller.kind === 'operator') return { kind: 'operator' as const, ...nothing };
    if (caller.kind === 'visitor') {
      const team = await lookups.team(caller.teamId);
      const teams = team ? [{ id: team.id, name: team.name, role: 'viewer' as const, closed: false }] : [];
      return { kind: 'visitor' as const, ...nothing, teams };
    }
    const { userId } = caller;
    const known = await account.people.find(userId);
    if (!known) throw new ApiError('PERSON_NOT_FOUND');
    const { person } = known;
    const teams = (await account.teams.ofPerson(userId)).map((team) => ({
      ...team,
      closed: isClosed(caller, team.id),
    }));
    if (caller.kind === 'session') {
      const identities = (await account.identities.ofPerson(userId)).map((one) => viewIdentity(one, provider));
      return { kind: 'person' as const, person, scope: null, teams, identities };
    }
    const acting = teams
      .filter(({ id }) => id === caller.teamId)
      .map((team) => ({ ...team, role: roleIn(caller, team.id)! }));
    return { kind: 'token' as const, person, scope: caller.scope, teams: acting, identities: [] };
  },
});

export const renameMe = manageRoute('PATCH /api/manage/me', {
  summary: 'Change your name',
  needs: 'person',
  body: z.object({ name: personName() }),
  reply: z.object({ person: Person }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ caller: { userId }, body: { name }, change }, { account }) {
    const person = await change('RenamePerson', async ({ tx }) => {
      const known = await account.people.lock(tx, userId);
      if (!known) throw new ApiError('PERSON_NOT_FOUND');
      const person = await account.people.change(tx, userId, { name });
      const before = { name: known.person.name };
      return { subject: userId, before, after: { name }, done: person, events: [told(PersonChanged, { userId })] };
    });
    return { person };
  },
});

export const listPeople = manageRoute('GET /api/manage/people', {
  summary: 'List all people of the installation',
  needs: 'instance-owner',
  query: pageQuery,
  reply: z.object({ people: z.array(Person.extend({ secondFactor: z.boolean() })), next: next() }),
  async handle({ query: { limit, cursor } }, { account }) {
    const people = await account.people.list(limit, readCursor(cursor));
    return { people, next: nextCursor(people, limit, ({ createdAt }) => createdAt) };
  },
});

/** Their password stays, so nobody signs in as them by this alone. */
export const removeSecondFactor = manageRoute('POST /api/manage/people/remove-second-factor', {
  summary:
    'Remove the second factors of a person who has lost them: the authenticator app, the passkeys and the recovery codes',
  needs: 'instance-owner',
  body: z.object({ email: emailText() }),
  reply: z.object({ person: Person }),
  errors: ['PERSON_NOT_FOUND', 'SECOND_FACTOR_NOT_FOUND'],
  async handle({ body: { email }, change }, { account }) {
    const person = await change('RemoveSecondFactor', async ({ tx }) => {
      const userId = (await account.people.findByEmail(email, tx))?.person.id;
      const known = userId === undefined ? null : await account.people.lock(tx, userId);
      if (!known) throw new ApiError('PERSON_NOT_FOUND');
      const { person } = known;
      const factors = await account.secondFactors.find(person.id, tx);
      if (!factors || !hasFactor(factors)) throw new ApiError('SECOND_FACTOR_NOT_FOUND');
      await account.secondFactors.removeAll(tx, person.id);
      const before = { authenticatorApp: factors.authenticatorApp !== null, passkeys: factors.passkeys.length };
      return { subject: person.id, before, done: person, events: [told(PersonChanged, { userId: person.id })] };
    });
    return { person };
  },
});
