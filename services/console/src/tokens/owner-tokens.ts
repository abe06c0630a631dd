// Routes of owner tokens. They are for the operator of the installation, who may do everything. They can be replaced
// without a restart.
import { told } from '@landfall/bus';
import { TokenRevoked, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { anyTime, id, inUtc, plaintext } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { OwnerToken } from './token-repository.ts';

export const ownerTokenView = OwnerToken.describe(
  'An owner token without its plaintext, which is shown only once, at its creation.',
);

export const expiry = () =>
  anyTime().nullable().default(null).describe('The token is refused from this time on. Null: never.');

export const listOwnerTokens = manageRoute({
  method: 'GET',
  path: '/api/manage/owner-tokens',
  name: 'listOwnerTokens',
  summary: 'List the owner tokens',
  needs: 'operator',
  reply: z.object({ tokens: z.array(ownerTokenView) }),
  handle: async (_, { account }) => ({ tokens: await account.tokens.listOwners() }),
});

export const createOwnerToken = manageRoute({
  method: 'POST',
  path: '/api/manage/owner-tokens',
  name: 'createOwnerToken',
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

export const revokeOwnerToken = manageRoute({
  method: 'DELETE',
  path: '/api/manage/owner-tokens/:tokenId',
  name: 'revokeOwnerToken',
  summary: 'Revoke an owner token, even the one of this request: it stops working at once',
  needs: 'operator',
  params: z.object({ tokenId: id() }),
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
