// Messages about the SDK keys of an app: create, rotate, revoke, and their usage.
import { z } from 'zod';
import { event, request } from '../define.ts';
import { hash, instant, sealed, text, uuid } from '../fields.ts';
import { APP_NOT_FOUND, App, FORBIDDEN } from './apps.ts';
import { actor } from './people/rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

/** `mobile`: in apps, where anybody can read it. `server`: in a backend; routes for phones refuse it. */
export const KeyKind = z.enum(['mobile', 'server']);
export type KeyKind = z.output<typeof KeyKind>;
const keyKind = () => KeyKind.default('mobile');

export const Key = z.object({
  id: uuid(),
  appId: uuid(),
  kind: keyKind(),
  label: text(200),
  hint: text(20),
  createdAt: instant(),
  /** The key is refused from this time on. Null: it does not expire. */
  expiresAt: instant().nullable().default(null),
  /** The key that replaced it at its rotation. */
  replacedBy: uuid().nullable().default(null),
  revokedAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
});
export type Key = z.output<typeof Key>;

export const FindKey = request({
  kind: 'query',
  name: 'FindKey',
  description: 'Finds the app of an SDK key, by the hash of the key.',
  topic: queries,
  input: z.object({ hash: hash() }),
  /** The caller must check `expiresAt`. */
  reply: z.object({
    keyId: uuid(),
    kind: keyKind(),
    expiresAt: instant().nullable().default(null),
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

export const CreateKey = request({
  kind: 'command',
  name: 'CreateKey',
  description: 'Creates an SDK key of an app.',
  topic: commands,
  /** The sender made the key and shows it once. Only its SHA-256 is sent. */
  input: z.object({
    actor: actor(),
    appId: uuid(),
    kind: keyKind(),
    hash: hash(),
    hint: text(20),
    label: text(200),
  }),
  reply: z.object({ key: Key }),
  refusals: { APP_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});

/** The maximum overlap: 30 days. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

export const RotateKey = request({
  kind: 'command',
  name: 'RotateKey',
  description: 'Creates an SDK key of the kind of another key, which expires after an overlap.',
  topic: commands,
  /** The sender made the key, as for CreateKey. */
  input: z.object({
    actor: actor(),
    appId: uuid(),
    keyId: uuid(),
    hash: hash(),
    hint: text(20),
    /** Null: the label of the old key. */
    label: text(200).nullable(),
    overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS),
  }),
  reply: z.object({ key: Key, replaced: Key }),
  /** KEY_RETIRED: the key was revoked or already rotated. */
  refusals: { KEY_NOT_FOUND: z.object({}), KEY_RETIRED: z.object({}), FORBIDDEN },
  key: (input) => input.appId,
});

export const ListKeys = request({
  kind: 'query',
  name: 'ListKeys',
  description: 'Lists the SDK keys of an app.',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ keys: z.array(Key) }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

/** A key's share of the requests of its app. */
export const KeyUsage = z.object({
  /** Reported requests of this hour and the 23 hours before it. Reports are up to a minute late. */
  requests24h: z.int().min(0),
  /** The share of all requests with a key of the app in these hours, from 0 to 1. Null when there was no request. */
  share24h: z.number().min(0).max(1).nullable(),
  lastUsedAt: instant().nullable(),
});
export type KeyUsage = z.output<typeof KeyUsage>;

export const FindKeyUsage = request({
  kind: 'query',
  name: 'FindKeyUsage',
  description: "Returns the share of an app's traffic that uses a key.",
  topic: queries,
  input: z.object({ appId: uuid(), keyId: uuid() }),
  reply: KeyUsage,
  refusals: { KEY_NOT_FOUND: z.object({}) },
  key: (input) => input.keyId,
});

export const RevokeKey = request({
  kind: 'command',
  name: 'RevokeKey',
  description: 'Revokes an SDK key.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), keyId: uuid() }),
  reply: z.object({ key: Key }),
  refusals: { KEY_NOT_FOUND: z.object({}), FORBIDDEN },
  key: (input) => input.appId,
});

export const KeyChanged = event({
  name: 'KeyChanged',
  description: 'A key was created, rotated or revoked. Caches must drop it, also an entry that the key does not exist.',
  audience: 'internal',
  producer: 'account',
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

export const KeyUsed = event({
  name: 'KeyUsed',
  description: 'A key was used. Sent at most once a minute for each key and gateway.',
  audience: 'internal',
  producer: 'gateway',
  topic: 'key.used',
  data: z.object({
    keyId: uuid().describe('The key.'),
    requests: z.int().min(1).optional().describe('Requests with the key since the last report.'),
  }),
  key: (data) => data.keyId,
});
