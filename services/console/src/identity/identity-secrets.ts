// Routes of the secrets with which an app's backend signs the identity of its users.
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeIdentitySecret as makeOne } from '../access/one-time.ts';
import { appChanged } from '../apps/changed-app.ts';
import { lockApp } from '../common/rights.ts';
import { overlapSeconds } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { hasLasting, IdentitySecret, liveAt, rotate, view } from './rotation.ts';

const secretView = IdentitySecret.describe(
  'A secret without its plaintext, which is shown only once, at its creation.',
);

export const makeIdentitySecret = manageRoute('POST /api/manage/apps/:appId/identity-secrets', {
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
  async handle({ params: { appId }, body: { overlapSeconds }, change }, { account, sealer }) {
    const { plaintext, hint } = makeOne();
    const sealed = sealer.seal('identity secret', plaintext);
    const made = await change('MakeIdentitySecret', async (at) => {
      const { tx, id, now } = at;
      await lockApp(at, appId, 'admin');
      const before = await account.apps.identitySecrets(appId, tx);
      const stored = rotate(before ?? [], { id, sealed, hint }, overlapSeconds, now);
      const app = await account.apps.change(tx, appId, { identitySecrets: stored });
      const secrets = stored.map(view);
      const done = { secret: secrets.find((one) => one.id === id)!, secrets };
      const events = [await appChanged(at, app)];
      return { subject: id, teamId: app.teamId, appId, after: { hint, overlapSeconds }, done, events };
    });
    return { ...made, plaintext };
  },
});

export const listIdentitySecrets = manageRoute('GET /api/manage/apps/:appId/identity-secrets', {
  summary: 'List the secrets that sign the identity of app users; their plaintexts are not shown',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ secrets: z.array(secretView) }),
  async handle({ params: { appId } }, { account, now }) {
    const stored = await account.apps.identitySecrets(appId);
    if (!stored) throw new ApiError('APP_NOT_FOUND');
    return { secrets: liveAt(stored, now()).map(view) };
  },
});

export const removeIdentitySecret = manageRoute('DELETE /api/manage/apps/:appId/identity-secrets/:secretId', {
  summary: 'Remove a secret: tokens that it signed are refused at once',
  needs: { role: 'admin', of: 'app' },
  reply: z.object({ secrets: z.array(secretView) }),
  errors: ['IDENTITY_SECRET_NOT_FOUND', 'IDENTITY_SECRET_NEEDED'],
  async handle({ params: { appId, secretId }, change }, { account }) {
    return change('RemoveIdentitySecret', async (at) => {
      const { tx, now } = at;
      const { identity } = await lockApp(at, appId, 'admin');
      const live = liveAt((await account.apps.identitySecrets(appId, tx)) ?? [], now);
      const gone = live.find(({ id }) => id === secretId);
      if (!gone) throw new ApiError('IDENTITY_SECRET_NOT_FOUND');
      const left = live.filter((one) => one !== gone);
      if (identity !== 'off' && !hasLasting(left)) throw new ApiError('IDENTITY_SECRET_NEEDED');
      const app = await account.apps.change(tx, appId, { identitySecrets: left });
      const events = [await appChanged(at, app)];
      const done = { secrets: left.map(view) };
      return { subject: secretId, teamId: app.teamId, appId, before: { hint: gone.hint }, done, events };
    });
  },
});
