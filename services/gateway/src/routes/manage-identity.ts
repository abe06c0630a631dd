// Routes of the secrets with which an app's backend signs the identity of its users.
import { IdentitySecret, ListIdentitySecrets, MakeIdentitySecret, RemoveIdentitySecret } from '@landfall/contracts';
import { z } from 'zod';
import { makeIdentitySecret as makeOne } from '../access/one-time.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { appParams, id, overlapSeconds } from './manage-fields.ts';

const shared = { path: '/api/manage/apps/:appId/identity-secrets', params: appParams } as const;
const secretView = IdentitySecret.describe(
  'A secret without its plaintext, which is shown only once, at its creation.',
);

export const makeIdentitySecret = manageRoute({
  ...shared,
  method: 'POST',
  name: 'makeIdentitySecret',
  summary: 'Create a secret that signs the identity of app users; its plaintext is shown only once',
  needs: { role: 'admin', of: 'app' },
  body: z.object({
    overlapSeconds: overlapSeconds().describe(
      'Seconds for which the previous secret stays valid. Older secrets end at once. 0: the previous one also ends at once.',
    ),
  }),
  reply: z.object({
    secret: secretView,
    secrets: z.array(secretView),
    plaintext: z.string().describe('Shown only now. Its characters are the key of HS256.'),
  }),
  errors: [],
  async handle({ actor, params: { appId }, body: { overlapSeconds } }, { bus, sealer, lookups }) {
    const { plaintext, hint } = makeOne();
    const secret = sealer.seal('identity secret', plaintext);
    const answer = await bus.ask(MakeIdentitySecret, { actor: actor(), appId, secret, hint, overlapSeconds });
    lookups.forgetApp(appId);
    return { ...orRefuse(answer), plaintext };
  },
});

export const listIdentitySecrets = manageRoute({
  ...shared,
  method: 'GET',
  name: 'listIdentitySecrets',
  summary: 'List the secrets that sign the identity of app users, without their plaintexts',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ secrets: z.array(secretView) }),
  errors: [],
  async handle({ params: { appId } }, { bus }) {
    return orRefuse(await bus.ask(ListIdentitySecrets, { appId }));
  },
});

export const removeIdentitySecret = manageRoute({
  method: 'DELETE',
  path: `${shared.path}/:secretId`,
  params: appParams.extend({ secretId: id() }),
  name: 'removeIdentitySecret',
  summary: 'Remove a secret: tokens that it signed are refused at once',
  needs: { role: 'admin', of: 'app' },
  reply: z.object({ secrets: z.array(secretView) }),
  errors: ['IDENTITY_SECRET_NOT_FOUND', 'IDENTITY_SECRET_NEEDED'],
  async handle({ actor, params: { appId, secretId } }, { bus, lookups }) {
    const answer = await bus.ask(RemoveIdentitySecret, { actor: actor(), appId, secretId });
    lookups.forgetApp(appId);
    return orRefuse(answer);
  },
});
