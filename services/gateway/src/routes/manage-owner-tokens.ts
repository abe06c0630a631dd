// Routes of owner tokens. They are for the operator of the installation, who may do everything. They can be replaced
// without a restart.
import { ListOwnerTokens, MakeOwnerToken, OwnerToken, RevokeOwnerToken, text } from '@landfall/contracts';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { expiry, id } from './manage-fields.ts';

export const ownerTokenView = OwnerToken.describe(
  'An owner token without its plaintext, which is shown only once, at its creation.',
);

export const listOwnerTokens = manageRoute({
  method: 'GET',
  path: '/api/manage/owner-tokens',
  name: 'listOwnerTokens',
  summary: 'List the owner tokens',
  needs: 'operator',
  reply: z.object({ tokens: z.array(ownerTokenView) }),
  errors: [],
  async handle(_, { bus }) {
    return orRefuse(await bus.ask(ListOwnerTokens, {}));
  },
});

export const createOwnerToken = manageRoute({
  method: 'POST',
  path: '/api/manage/owner-tokens',
  name: 'createOwnerToken',
  summary: 'Create another owner token; its plaintext is shown only once',
  needs: 'operator',
  body: z.object({ label: text(200).default(''), expiresAt: expiry() }),
  reply: z.object({ token: ownerTokenView, plaintext: z.string().describe('It is not stored: save it now.') }),
  errors: [],
  async handle({ actor, body: { label, expiresAt } }, { bus }) {
    const { plaintext, ...made } = makeKey('lf_');
    const until = expiresAt && new Date(expiresAt).toISOString();
    const answer = await bus.ask(MakeOwnerToken, { actor: actor(), label, ...made, expiresAt: until });
    return { token: orRefuse(answer).token, plaintext };
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
  async handle({ actor, params: { tokenId } }, { bus }) {
    return orRefuse(await bus.ask(RevokeOwnerToken, { actor: actor(), tokenId }));
  },
});
