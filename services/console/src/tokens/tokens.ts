// Routes of personal access tokens. A token gives a program the rights of a person in one team, or fewer.
import { told } from '@landfall/bus';
import { atLeast, PersonChanged, Scope, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { id, inUtc, plaintext, teamParams } from '../routes/manage-fields.ts';
import { type ConsoleParts, type ManageCall, manageRoute } from '../routing/route.ts';
import { expiry } from './owner-tokens.ts';
import { Token } from './token-repository.ts';

export const tokenView = Token.describe('A token without its plaintext, which is shown only once, at its creation.');

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
  handle: async ({ caller: { userId } }, { account }) => ({ tokens: await account.tokens.list({ userId }) }),
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
  reply: z.object({ token: tokenView, plaintext }),
  errors: ['TEAM_NOT_FOUND', 'FORBIDDEN'],
  async handle({ caller: { userId }, body: { teamId, scope, label, expiresAt: given }, change }, { account }) {
    const { plaintext, hash, hint } = makeKey('lf_');
    const expiresAt = given && inUtc(given);
    const token = await change('MakeToken', async ({ tx, actor, id, now }) => {
      if ((await account.teams.roleOf(tx, actor, teamId, now)) === null) throw new ApiError('TEAM_NOT_FOUND');
      const token = await account.tokens.insert(tx, { id, userId, teamId, scope, label, hint, hash, expiresAt, now });
      return { subject: id, teamId, after: { scope, label, expiresAt }, done: token };
    });
    return { token, plaintext };
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
  handle: ({ caller: { userId }, params: { tokenId }, change }, parts) => revoke(tokenId, { userId }, change, parts),
});

export const listTeamTokens = manageRoute({
  ...team,
  method: 'GET',
  path: '/api/manage/teams/:teamId/tokens',
  name: 'listTeamTokens',
  summary: 'List the tokens of all people that act in a team',
  params: teamParams,
  reply: tokens,
  handle: async ({ params: { teamId } }, { account }) => ({ tokens: await account.tokens.list({ teamId }) }),
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
  handle: ({ params: { teamId, tokenId }, change }, parts) => revoke(tokenId, { teamId }, change, parts),
});

/** Revokes a token of this person, or one that acts in this team. */
async function revoke(
  tokenId: string,
  of: { userId: string } | { teamId: string },
  change: ManageCall<'person', unknown, unknown, unknown>['change'],
  { account }: ConsoleParts,
) {
  const token = await change('RevokeToken', async ({ tx, actor, now }) => {
    const found = await account.tokens.findOf(tx, tokenId, of);
    if (!found) throw new ApiError('TOKEN_NOT_FOUND');
    const isOwn = actor.kind === 'operator' || (actor.kind === 'person' && actor.userId === found.userId);
    if (!isOwn) {
      const role = await account.teams.roleOf(tx, actor, found.teamId, now);
      if (role === null) throw new ApiError('TOKEN_NOT_FOUND');
      if (actor.kind === 'token' || !atLeast(role, 'admin')) throw new ApiError('FORBIDDEN');
    }
    const token = await account.tokens.revoke(tx, tokenId, now);
    const { teamId, label, userId } = token;
    return { subject: tokenId, teamId, before: { label }, done: token, events: [told(PersonChanged, { userId })] };
  });
  return { token };
}
