// Routes of the SDK keys of an app. Several may be valid at once, so that a key is rotated without an outage.
import { told } from '@landfall/bus';
import { KeyChanged, KeyKind, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { type Made, makeKey } from '../access/one-time.ts';
import type { Change, Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { overlapSeconds, plaintext } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { Key, KeyUsage } from './key-repository.ts';

export const keyView = Key.describe('A key without its plaintext, which is shown only once, at its creation.');

export const createKey = manageRoute('POST /api/manage/apps/:appId/keys', {
  summary: 'Create an SDK key; its plaintext is shown only once',
  needs: { role: 'admin', of: 'app' },
  body: z.object({
    label: text(200).default(''),
    kind: KeyKind.default('mobile').describe(
      '`mobile`: for an app. `server`: for a backend, with its own rate limits.',
    ),
  }),
  reply: z.object({ key: keyView, plaintext }),
  async handle({ params: { appId }, body: { label, kind }, change }) {
    const made = makeKey('ol_');
    const key = await change('CreateKey', (at) => addKey(at, { id: at.id, appId, kind, label, ...made }));
    return { key, plaintext: made.plaintext };
  },
});

export async function addKey(
  at: Changing,
  { plaintext: _, ...wanted }: Pick<Key, 'id' | 'appId' | 'kind' | 'label' | 'hint'> & Made,
): Promise<Change<Key>> {
  const { id, appId, kind, label, hash } = wanted;
  const { teamId } = await lockApp(at, appId, 'admin');
  const key = await at.account.keys.insert(at.tx, { ...wanted, now: at.now });
  const events = [told(KeyChanged, { appId, keyId: id, hash, revoked: false, expiresAt: null })];
  return { subject: id, teamId, appId, after: { kind, label }, done: key, events };
}

export const listKeys = manageRoute('GET /api/manage/apps/:appId/keys', {
  summary: "List an app's keys, including revoked ones",
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ keys: z.array(keyView) }),
  handle: async ({ params: { appId } }, { account }) => ({ keys: await account.keys.list(appId) }),
});

export const getKeyUsage = manageRoute('GET /api/manage/apps/:appId/keys/:keyId/usage', {
  summary: "Get a key's share of the app's traffic in the last 24 hours",
  needs: { role: 'viewer', of: 'app' },
  reply: KeyUsage,
  errors: ['KEY_NOT_FOUND'],
  async handle({ params: { appId, keyId } }, { account, now }) {
    const usage = await account.keys.usage(appId, keyId, now());
    if (!usage) throw new ApiError('KEY_NOT_FOUND');
    return usage;
  },
});

export const rotateKey = manageRoute('POST /api/manage/apps/:appId/keys/:keyId/rotate', {
  summary: 'Create a key of the same kind, shown only once; the old key expires after an overlap',
  needs: { role: 'admin', of: 'app' },
  body: z.object({
    overlapSeconds: overlapSeconds().describe('Seconds for which both keys work. Default: one day. Maximum: 30 days.'),
    label: text(200).optional().describe('If omitted: the label of the old key.'),
  }),
  reply: z.object({ key: keyView, replaced: keyView, plaintext }),
  errors: ['KEY_NOT_FOUND', 'KEY_RETIRED'],
  async handle({ params: { appId, keyId }, body: { overlapSeconds, label: given }, change }, { account }) {
    const { plaintext, hash, hint } = makeKey('ol_');
    const rotated = await change('RotateKey', async (at) => {
      const { tx, id, now } = at;
      const { teamId } = await lockApp(at, appId, 'admin');
      const old = await account.keys.findOf(tx, appId, keyId);
      if (!old) throw new ApiError('KEY_NOT_FOUND');
      // An expired key has already been rotated.
      if (old.key.revokedAt !== null || old.key.replacedBy !== null) throw new ApiError('KEY_RETIRED');
      const label = given ?? old.key.label;
      const key = await account.keys.insert(tx, { id, appId, kind: old.key.kind, hash, hint, label, now });
      const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000);
      const replaced = await account.keys.replace(tx, keyId, { id, expiresAt });
      return {
        subject: keyId,
        teamId,
        appId,
        before: { label: old.key.label, expiresAt: old.key.expiresAt },
        after: { replacedBy: id, expiresAt: replaced.expiresAt, label },
        done: { key, replaced },
        events: [
          told(KeyChanged, { appId, keyId: id, hash, revoked: false, expiresAt: null }),
          told(KeyChanged, { appId, keyId, hash: old.hash, revoked: false, expiresAt: replaced.expiresAt }),
        ],
      };
    });
    return { ...rotated, plaintext };
  },
});

export const revokeKey = manageRoute('DELETE /api/manage/apps/:appId/keys/:keyId', {
  summary: 'Revoke a key: it stops working at once',
  needs: { role: 'admin', of: 'app' },
  reply: z.object({
    key: keyView,
    usage: KeyUsage.nullable().describe('The usage until then. Null when it was not found in time.'),
  }),
  errors: ['KEY_NOT_FOUND'],
  async handle({ params: { appId, keyId }, change }, { account, now }) {
    const usage = await account.keys.usage(appId, keyId, now());
    const key = await change('RevokeKey', async (at) => {
      const { teamId } = await lockApp(at, appId, 'admin');
      const revoked = await account.keys.revoke(at.tx, appId, keyId, at.now);
      if (!revoked) throw new ApiError('KEY_NOT_FOUND');
      const { key, hash } = revoked;
      const events = [told(KeyChanged, { appId, keyId, hash, revoked: true, expiresAt: key.expiresAt })];
      return { subject: keyId, teamId, appId, before: { label: key.label }, done: key, events };
    });
    return { key, usage };
  },
});
