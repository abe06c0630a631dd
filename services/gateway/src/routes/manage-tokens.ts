// Routes of personal access tokens. A token gives a program the rights of a person in one team, or fewer.
import { ListTokens, MakeToken, RevokeToken, Scope, text } from '@landfall/contracts';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { expiry, id, teamParams, tokenView } from './manage-fields.ts';

const person = { needs: 'person' } as const;
/** Tokens cannot manage tokens. */
const team = { needs: { role: 'admin', of: 'team', except: 'tokens' } } as const;

const tokens = z.object({ tokens: z.array(tokenView) });

export const listMyTokens = manageRoute({
  ...person,
  method: 'GET',
  path: '/api/manage/me/tokens',
  name: 'listMyTokens',
  summary: 'List your tokens',
  reply: tokens,
  errors: [],
  async handle({ caller: { userId } }, { bus }) {
    return orRefuse(await bus.ask(ListTokens, { userId, teamId: null }));
  },
});

export const createToken = manageRoute({
  ...person,
  needs: ['person', { role: 'viewer', of: 'team', in: 'body' }],
  method: 'POST',
  path: '/api/manage/me/tokens',
  name: 'createToken',
  summary: 'Create a token that acts for you in a team; its plaintext is shown only once',
  body: z.object({
    teamId: id(),
    scope: Scope.describe(
      '`read` may read what you may read; `write` may do what you may do, but at most what an admin may.',
    ),
    label: text(200).default(''),
    expiresAt: expiry(),
  }),
  reply: z.object({ token: tokenView, plaintext: z.string().describe('It is not stored: save it now.') }),
  errors: ['TEAM_NOT_FOUND', 'FORBIDDEN'],
  async handle({ caller: { userId }, actor, body: { teamId, scope, label, expiresAt } }, { bus }) {
    const { plaintext, ...made } = makeKey('lf_');
    const answer = await bus.ask(MakeToken, {
      actor: actor(),
      userId,
      teamId,
      scope,
      label,
      ...made,
      expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    });
    return { token: orRefuse(answer).token, plaintext };
  },
});

export const revokeMyToken = manageRoute({
  ...person,
  method: 'DELETE',
  path: '/api/manage/me/tokens/:tokenId',
  name: 'revokeMyToken',
  summary: 'Revoke one of your tokens: it stops working at once',
  params: z.object({ tokenId: id() }),
  reply: z.object({ token: tokenView }),
  errors: ['TOKEN_NOT_FOUND', 'FORBIDDEN'],
  async handle({ caller: { userId }, actor, params: { tokenId } }, parts: Uses<'bus' | 'lookups'>) {
    return revoke({ actor: actor(), tokenId, userId, teamId: null }, parts);
  },
});

export const listTeamTokens = manageRoute({
  ...team,
  method: 'GET',
  path: '/api/manage/teams/:teamId/tokens',
  name: 'listTeamTokens',
  summary: 'List the tokens of all people that act in a team',
  params: teamParams,
  reply: tokens,
  errors: [],
  async handle({ params: { teamId } }, { bus }) {
    return orRefuse(await bus.ask(ListTokens, { userId: null, teamId }));
  },
});

export const revokeTeamToken = manageRoute({
  ...team,
  method: 'DELETE',
  path: '/api/manage/teams/:teamId/tokens/:tokenId',
  name: 'revokeTeamToken',
  summary: 'Revoke a token of any person that acts in a team',
  params: teamParams.extend({ tokenId: id() }),
  reply: z.object({ token: tokenView }),
  errors: ['TOKEN_NOT_FOUND'],
  async handle({ actor, params: { teamId, tokenId } }, parts: Uses<'bus' | 'lookups'>) {
    return revoke({ actor: actor(), tokenId, userId: null, teamId }, parts);
  },
});

async function revoke(what: z.input<typeof RevokeToken.input>, { bus, lookups }: Uses<'bus' | 'lookups'>) {
  const { token } = orRefuse(await bus.ask(RevokeToken, what));
  lookups.forgetPerson(token.userId);
  return { token };
}
