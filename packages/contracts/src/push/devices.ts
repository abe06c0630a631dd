// Devices that can be pushed to, and what people open there.
import { z } from 'zod';
import { Platform } from '../attribution.ts';
import { request } from '../define.ts';
import { hash, sealed, text, uuid } from '../fields.ts';
import { LANGUAGE_LENGTH } from './message.ts';

const commands = 'push.commands';

/** Who takes pushes for a token. The token's shape says it, never the platform: Firebase gives tokens to iPhones, too. */
export const pushKinds = ['fcm', 'apns'] as const;
export const PushKind = z.enum(pushKinds);
export type PushKind = z.output<typeof PushKind>;

/** Which of Apple's two hosts knows an APNs token. */
export const PushEnvironment = z.enum(['production', 'sandbox']);
export type PushEnvironment = z.output<typeof PushEnvironment>;

/** Longer than any token that is known: FCM's have about 160 characters, APNs' 64 and at the most 200. */
export const TOKEN_LENGTH = 4096;

/** Spec 4.7. A token is one row of its app, whoever holds it. */
export const RegisterDevice = request({
  kind: 'command',
  name: 'RegisterDevice',
  description: 'Keeps the token of an installed app, and who is signed in there.',
  topic: commands,
  input: z.object({
    appId: uuid(),
    token: sealed('device token'),
    /** SHA-256 of the token. */
    tokenHash: hash(),
    kind: PushKind,
    environment: PushEnvironment.nullable(),
    platform: Platform,
    /** Null: nobody is signed in. */
    email: hash().nullable(),
    /** BCP 47, canonical. Null: the app did not say. */
    language: text(LANGUAGE_LENGTH).nullable().default(null),
  }),
  reply: z.object({ deviceId: uuid() }),
  refusals: {},
  key: (input) => input.tokenHash,
});

/** A token that is not known, or not wanted already, is no fault. */
export const UnregisterDevice = request({
  kind: 'command',
  name: 'UnregisterDevice',
  description: 'An installed app wants no more pushes: nothing is sent to its token until it registers again.',
  topic: commands,
  input: z.object({
    appId: uuid(),
    /** SHA-256 of the token. */
    tokenHash: hash(),
  }),
  reply: z.object({
    /** Null: there is nothing to take away, or a later registration says otherwise. */
    deviceId: uuid().nullable(),
  }),
  refusals: {},
  key: (input) => input.tokenHash,
});

/** Spec 4.8. Nothing about it is refused: an app is not to be punished for an old push. */
export const RecordOpen = request({
  kind: 'command',
  name: 'RecordOpen',
  description: 'A person opened a push.',
  topic: commands,
  input: z.object({
    appId: uuid(),
    /** As the app says it. */
    notificationId: text(200).min(1),
    /** SHA-256 of the token; null when the app does not say. */
    tokenHash: hash().nullable(),
  }),
  reply: z.object({
    /** Whether the app has this notification. */
    known: z.boolean(),
  }),
  refusals: {},
  key: (input, id) => input.tokenHash ?? id,
});
