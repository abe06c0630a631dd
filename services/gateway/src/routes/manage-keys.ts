// Routes of the SDK keys of an app. Several may be valid at once, so that a key is rotated without an outage.
import { CreateKey, FindKeyUsage, KeyKind, KeyUsage, ListKeys, RevokeKey, RotateKey, text } from '@landfall/contracts';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { appParams, id, keyView, overlapSeconds } from './manage-fields.ts';

const plaintext = z.string().describe('It is not stored: save it now.');
const keyParams = appParams.extend({ keyId: id() });

export const createKey = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/keys',
  name: 'createKey',
  summary: 'Create an SDK key; its plaintext is shown only once',
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  body: z.object({
    label: text(200).default(''),
    kind: KeyKind.default('mobile').describe(
      '`mobile`: for an app. `server`: for a backend, with its own rate limits.',
    ),
  }),
  reply: z.object({ key: keyView, plaintext }),
  errors: [],
  async handle({ actor, params: { appId }, body: { label, kind } }, { bus }) {
    const { plaintext, ...made } = makeKey('ol_');
    const answer = await bus.ask(CreateKey, { actor: actor(), appId, kind, ...made, label });
    return { key: orRefuse(answer).key, plaintext };
  },
});

export const listKeys = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/keys',
  name: 'listKeys',
  summary: "List an app's keys, including revoked ones",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  reply: z.object({ keys: z.array(keyView) }),
  errors: [],
  async handle({ params: { appId } }, { bus }) {
    return orRefuse(await bus.ask(ListKeys, { appId }));
  },
});

export const getKeyUsage = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/keys/:keyId/usage',
  name: 'getKeyUsage',
  summary: "Get a key's share of the app's traffic in the last 24 hours",
  needs: { role: 'viewer', of: 'app' },
  params: keyParams,
  reply: KeyUsage,
  errors: ['KEY_NOT_FOUND'],
  async handle({ params: { appId, keyId } }, { bus }) {
    return orRefuse(await bus.ask(FindKeyUsage, { appId, keyId }));
  },
});

export const rotateKey = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/keys/:keyId/rotate',
  name: 'rotateKey',
  summary: 'Create a key of the same kind, shown only once; the old key expires after an overlap',
  needs: { role: 'admin', of: 'app' },
  params: keyParams,
  body: z.object({
    overlapSeconds: overlapSeconds().describe('Seconds for which both keys work. Default: one day. Maximum: 30 days.'),
    label: text(200).optional().describe('If omitted: the label of the old key.'),
  }),
  reply: z.object({ key: keyView, replaced: keyView, plaintext }),
  errors: ['KEY_NOT_FOUND', 'KEY_RETIRED'],
  async handle({ actor, params, body: { overlapSeconds, label = null } }, { bus }) {
    const { plaintext, ...made } = makeKey('ol_');
    const answer = await bus.ask(RotateKey, { actor: actor(), ...params, ...made, label, overlapSeconds });
    return { ...orRefuse(answer), plaintext };
  },
});

export const revokeKey = manageRoute({
  method: 'DELETE',
  path: '/api/manage/apps/:appId/keys/:keyId',
  name: 'revokeKey',
  summary: 'Revoke a key: it stops working at once',
  needs: { role: 'admin', of: 'app' },
  params: keyParams,
  reply: z.object({
    key: keyView,
    usage: KeyUsage.nullable().describe('The usage until then. Null when it was not found in time.'),
  }),
  errors: ['KEY_NOT_FOUND'],
  async handle({ actor, params: { appId, keyId } }, { bus }) {
    // A leaked key is revoked even when its usage is unknown.
    const [revoked, used] = await Promise.all([
      bus.ask(RevokeKey, { actor: actor(), appId, keyId }),
      bus.ask(FindKeyUsage, { appId, keyId }).catch(() => null),
    ]);
    return { ...orRefuse(revoked), usage: used?.ok ? used.reply : null };
  },
});
