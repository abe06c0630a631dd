import { z } from 'zod';
import { eventsOf, requestsOf } from '../define.ts';
import { hash, instant, orNull, sealed, uuid } from '../fields.ts';
import { App } from './apps.ts';

/** `mobile`: in apps, where anybody can read it. `server`: in a backend; routes for phones refuse it. */
export const KeyKind = z.enum(['mobile', 'server']);
export type KeyKind = z.output<typeof KeyKind>;

export const FindKey = requestsOf('account').query('FindKey', {
  description: 'Finds the app of an SDK key, by the hash of the key.',
  input: z.object({ hash: hash() }),
  /** The caller must check `expiresAt`. */
  reply: z.object({
    keyId: uuid(),
    kind: KeyKind.default('mobile'),
    expiresAt: orNull(instant()),
    app: App,
    /** The secrets that sign the identity of the app's users. Some of them may have expired. */
    identitySecrets: z
      .array(z.object({ secret: sealed('identity secret'), expiresAt: instant().nullable() }))
      .max(10)
      .default([]),
  }),
  refusals: { KEY_UNKNOWN: z.object({}) },
  key: (input) => input.hash,
});

export const KeyChanged = eventsOf('console').internalEvent('KeyChanged', {
  description: 'A key was created, rotated or revoked. Caches must drop it, also an entry that the key does not exist.',
  topic: 'key.changed',
  data: z.object({
    appId: uuid().describe('The app of the key.'),
    keyId: uuid().describe('The key.'),
    hash: hash().describe('Its SHA-256.'),
    revoked: z.boolean().describe('True when the key was revoked.'),
    expiresAt: instant()
      .nullable()
      .optional()
      .describe('The key is refused from this time on. Null: it does not expire.'),
  }),
  key: (data) => data.keyId,
});

export const KeyUsed = eventsOf('gateway').internalEvent('KeyUsed', {
  description: 'A key was used. Sent at most once a minute for each key and gateway.',
  topic: 'key.used',
  data: z.object({
    keyId: uuid().describe('The key.'),
    requests: z.int().min(1).optional().describe('Requests with the key since the last report.'),
  }),
  key: (data) => data.keyId,
});
