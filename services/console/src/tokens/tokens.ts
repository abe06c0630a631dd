import { told } from '@landfall/bus';
import { atLeast, PersonChanged, Scope, TokenRevoked, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, id, inUtc, plaintext } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { OwnerToken, Token } from './token-repository.ts';

export const tokenView = Token.describe('A token without its plaintext, which is shown only once, at its creation.');

export const ownerTokenView = OwnerToken.describe(
  'An owner token without its plaintext, which is shown only once, at its creation.',
);

const expiry = () =>
  anyTime().nullable().default(null).describe('The token is refused from this time on. Null: never.');

const tokens = z.object({ tokens: z.array(tokenView) });

export const listMyTokens = manageRoute('GET /api/manage/me/tokens', {
  summary: 'List your tokens',
  needs: 'person',
  reply: tokens,
  handle: async ({ caller: { userId } }, { account }) => ({ tokens: await account.tokens.list({ userId }) }),
});

export const createToken = manageRoute('POST /api/manage/me/tokens', {
  needs: ['person', { role: 'viewer', of: 'team', in: 'body' }],
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

export const revokeMyToken = manageRoute('DELETE /api/manage/me/tokens/:tokenId', {
  summary: 'Revoke one of your tokens: it stops working at once',
  needs: 'person',
  reply: z.object({ token: tokenView }),
  errors: ['TOKEN_NOT_FOUND', 'FORBIDDEN'],
  handle: ({ caller: { userId }, params: { tokenId }, change }, parts) => revoke(tokenId, { userId }, change, parts),
});

export const listTeamTokens = manageRoute('GET /api/manage/teams/:teamId/tokens', {
  summary: 'List the tokens of all people that act in a team',
  // Tokens cannot manage tokens.
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  reply: tokens,
  handle: async ({ params: { teamId } }, { account }) => ({ tokens: await account.tokens.list({ teamId }) }),
});

export const revokeTeamToken = manageRoute('DELETE /api/manage/teams/:teamId/tokens/:tokenId', {
  summary: 'Revoke a token of any person that acts in a team',
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  reply: z.object({ token: tokenView }),
  errors: ['TOKEN_NOT_FOUND'],
  handle: ({ params: { teamId, tokenId }, change }, parts) => revoke(tokenId, { teamId }, change, parts),
});

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

export const listOwnerTokens = manageRoute('GET /api/manage/owner-tokens', {
  summary: 'List the owner tokens',
  needs: 'operator',
  reply: z.object({ tokens: z.array(ownerTokenView) }),
  handle: async (_, { account }) => ({ tokens: await account.tokens.listOwners() }),
});

export const createOwnerToken = manageRoute('POST /api/manage/owner-tokens', {
  summary: 'Create another owner token; its plaintext is shown only once',
  needs: 'operator',
  body: z.object({ label: text(200).default(''), expiresAt: expiry() }),
  reply: z.object({ token: ownerTokenView, plaintext }),
  async handle({ body: { label, expiresAt: given }, change }, { account }) {
    const { plaintext, hash, hint } = makeKey('lf_');
    const expiresAt = given && inUtc(given);
    const token = await change('MakeOwnerToken', async ({ tx, id, now }) => {
      const token = await account.tokens.insertOwner(tx, { id, label, hint, hash, expiresAt, now });
      return { subject: id, after: { label, expiresAt }, done: token };
    });
    return { token, plaintext };
  },
});

export const revokeOwnerToken = manageRoute('DELETE /api/manage/owner-tokens/:tokenId', {
  summary: 'Revoke an owner token, even the one of this request: it stops working at once',
  needs: 'operator',
  reply: z.object({ token: ownerTokenView }),
  errors: ['TOKEN_NOT_FOUND'],
  async handle({ params: { tokenId }, change }, { account }) {
    const token = await change('RevokeOwnerToken', async ({ tx, now }) => {
      const revoked = await account.tokens.revokeOwner(tx, tokenId, now);
      if (!revoked) throw new ApiError('TOKEN_NOT_FOUND');
      const { token, hash } = revoked;
      const events = [told(TokenRevoked, { tokenId, hash })];
      return { subject: tokenId, before: { label: token.label }, done: token, events };
    });
    return { token };
  },
});
