// SDK keys of an app: several may live at once, so that a key is rotated without an outage.
import { randomBytes } from 'node:crypto';
import { CreateKey, ListKeys, RevokeKey, text } from '@landfall/contracts';
import { z } from 'zod';
import { sha256 } from '../hashes.ts';
import { orRefuse, route } from '../route.ts';
import { appParams, id, keyView } from './manage-fields.ts';

const shared = { tag: 'manage', auth: 'owner', limit: 'manage' } as const;

export const createKey = route({
  ...shared,
  method: 'POST',
  path: '/api/manage/apps/:appId/keys',
  name: 'createKey',
  summary: 'Make an SDK key; its plaintext is shown this once',
  params: appParams,
  body: z.object({ label: text(200).default('') }),
  reply: z.object({ key: keyView, plaintext: z.string().describe('Kept nowhere: store it now.') }),
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId }, body: { label } }, { bus }) {
    const plaintext = `ol_${randomBytes(16).toString('hex')}`;
    const hint = `${plaintext.slice(0, 7)}…`;
    const answer = await bus.ask(CreateKey, { appId, hash: sha256(plaintext), hint, label });
    return { key: orRefuse(answer).key, plaintext };
  },
});

export const listKeys = route({
  ...shared,
  method: 'GET',
  path: '/api/manage/apps/:appId/keys',
  name: 'listKeys',
  summary: "List an app's keys, revoked ones too",
  params: appParams,
  reply: z.object({ keys: z.array(keyView) }),
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId } }, { bus }) {
    return orRefuse(await bus.ask(ListKeys, { appId }));
  },
});

export const revokeKey = route({
  ...shared,
  method: 'DELETE',
  path: '/api/manage/apps/:appId/keys/:keyId',
  name: 'revokeKey',
  summary: 'Revoke a key: it stops working at once',
  params: appParams.extend({ keyId: id() }),
  reply: z.object({ key: keyView }),
  errors: ['KEY_NOT_FOUND'],
  async handle({ params: { appId, keyId } }, { bus }) {
    return orRefuse(await bus.ask(RevokeKey, { appId, keyId }));
  },
});
