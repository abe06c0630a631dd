// Routes of the caller: identity, name, password and sessions.
import {
  ChangePassword,
  EndSessions,
  FindPerson,
  ListSessions,
  passwordText,
  RenamePerson,
  Role,
  Scope,
  text,
} from '@landfall/contracts';
import { z } from 'zod';
import { roleIn } from '../access/authorise.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { beginSession, signedInReply } from './begin-session.ts';
import {
  id,
  identityView,
  knownPassword,
  personName,
  personView,
  sessionView,
  viewIdentity,
  viewPerson,
} from './manage-fields.ts';

const person = { needs: 'person' } as const;

export const getMe = manageRoute({
  method: 'GET',
  path: '/api/manage/me',
  name: 'getMe',
  summary: 'Get the caller and their role in each team',
  needs: 'signed-in',
  reply: z.object({
    kind: z
      .enum(['person', 'token', 'operator', 'visitor'])
      .describe('`visitor`: nobody is signed in, and the installation shows a demo to everyone.'),
    person: personView.nullable().describe('Null for the operator and for visitors.'),
    scope: Scope.nullable().describe(
      'The scope of a token. The token acts in one team only, never with more than this scope.',
    ),
    teams: z.array(z.object({ id: z.uuid(), name: text(200), role: Role })),
    identities: z
      .array(identityView)
      .describe('The OpenID Connect providers through which the person signs in. Empty for a token.'),
  }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ caller }, { bus, sealer, provider, lookups }) {
    const nothing = { person: null, scope: null, teams: [], identities: [] };
    if (caller.kind === 'operator') return { kind: 'operator' as const, ...nothing };
    if (caller.kind === 'visitor') {
      const team = await lookups.team(caller.teamId);
      const teams = team ? [{ id: team.id, name: team.name, role: 'viewer' as const }] : [];
      return { kind: 'visitor' as const, ...nothing, teams };
    }
    const { person, teams, identities } = orRefuse(await bus.ask(FindPerson, { userId: caller.userId }));
    const own = { person: viewPerson(person, sealer) };
    if (caller.kind === 'session') {
      const seen = identities.map((identity) => viewIdentity(identity, provider));
      return { kind: 'person' as const, ...own, scope: null, teams, identities: seen };
    }
    const acting = teams
      .filter(({ id }) => id === caller.teamId)
      .map((team) => ({ ...team, role: roleIn(caller, team.id)! }));
    return { kind: 'token' as const, ...own, scope: caller.scope, teams: acting, identities: [] };
  },
});

export const renameMe = manageRoute({
  ...person,
  method: 'PATCH',
  path: '/api/manage/me',
  name: 'renameMe',
  summary: 'Change your name',
  body: z.object({ name: personName() }),
  reply: z.object({ person: personView }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ caller: { userId }, actor, body: { name } }, { bus, sealer }) {
    const renamed = orRefuse(await bus.ask(RenamePerson, { actor: actor(), userId, name }));
    return { person: viewPerson(renamed.person, sealer) };
  },
});

export const changePassword = manageRoute({
  ...person,
  method: 'POST',
  path: '/api/manage/me/password',
  name: 'changePassword',
  summary: 'Change your password: all your sessions end, and this browser gets a new one',
  limit: 'sign-in',
  body: z.object({ current: knownPassword(), next: passwordText().meta({ format: 'password' }) }),
  reply: z.object(signedInReply),
  errors: [
    'SIGN_IN_BUSY',
    'WRONG_CREDENTIALS',
    'SIGN_IN_DELAYED',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_COMMON',
    'PERSON_NOT_FOUND',
  ],
  async handle(call, parts: Uses<'bus' | 'lookups' | 'hashes' | 'sealer' | 'cookies' | 'signIns' | 'now'>) {
    const { userId } = call.caller;
    const { give, session } = beginSession(call, parts);
    const command = {
      actor: call.actor(),
      userId,
      current: parts.sealer.seal('password', call.body.current),
      next: parts.sealer.seal('password', call.body.next),
      session,
    };
    const changed = orRefuse(await parts.signIns.run(userId, call, () => parts.bus.ask(ChangePassword, command)));
    parts.lookups.forgetPerson(userId);
    return give(changed);
  },
});

export const listSessions = manageRoute({
  ...person,
  method: 'GET',
  path: '/api/manage/me/sessions',
  name: 'listSessions',
  summary: 'List your sessions, the last used first',
  reply: z.object({ sessions: z.array(sessionView) }),
  errors: [],
  async handle({ caller: { userId, sessionId } }, { bus }) {
    const { sessions } = orRefuse(await bus.ask(ListSessions, { userId }));
    return { sessions: sessions.map((one) => ({ ...one, current: one.id === sessionId })) };
  },
});

export const endSession = manageRoute({
  ...person,
  method: 'DELETE',
  path: '/api/manage/me/sessions/:sessionId',
  name: 'endSession',
  summary: 'End one of your sessions',
  params: z.object({ sessionId: id() }),
  reply: z.object({ ended: z.int() }),
  errors: ['SESSION_NOT_FOUND'],
  async handle({ caller: { userId }, actor, params: { sessionId } }, { bus, lookups }) {
    const ended = orRefuse(await bus.ask(EndSessions, { actor: actor(), userId, sessionId, except: null }));
    lookups.forgetPerson(userId);
    return ended;
  },
});

export const endOtherSessions = manageRoute({
  ...person,
  method: 'DELETE',
  path: '/api/manage/me/sessions',
  name: 'endOtherSessions',
  summary: 'End all your sessions except this one',
  reply: z.object({ ended: z.int() }),
  errors: [],
  async handle({ caller: { userId, sessionId: except }, actor }, { bus, lookups }) {
    const ended = orRefuse(await bus.ask(EndSessions, { actor: actor(), userId, sessionId: null, except }));
    lookups.forgetPerson(userId);
    return ended;
  },
});
