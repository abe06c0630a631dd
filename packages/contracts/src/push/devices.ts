// Messages about devices that get pushes, and about the pushes that people open on these devices.
import { z } from 'zod';
import { appVersion, country, Platform } from '../client.ts';
import { requestsOf } from '../define.ts';
import { hash, orNull, sealed, text, uuid } from '../fields.ts';
import { LANGUAGE_LENGTH } from './message.ts';

const { command } = requestsOf('push');

/** The providers of push tokens. Only the format of a token shows its provider: Firebase also serves iPhones. */
export const PushKind = z.enum(['fcm', 'apns']);
export type PushKind = z.output<typeof PushKind>;

/** The host of Apple that knows an APNs token. */
export const PushEnvironment = z.enum(['production', 'sandbox']);
export type PushEnvironment = z.output<typeof PushEnvironment>;

/** The limit is longer than any known token. FCM tokens have about 160 characters, and APNs tokens have 64 to 200. */
export const TOKEN_LENGTH = 4096;

/** The app sent a language that cannot be read, so the device has none. In BCP 47: undetermined. */
export const UNREADABLE_LANGUAGE = 'und';

/** Spec 4.7. A token has one row in its app, for any user. */
export const RegisterDevice = command('RegisterDevice', {
  description: 'Stores the token of an installed app and its signed-in user.',
  input: z.object({
    appId: uuid(),
    token: sealed('device token'),
    /** The SHA-256 of the token. */
    tokenHash: hash(),
    kind: PushKind,
    environment: PushEnvironment.nullable(),
    platform: Platform,
    /** Null: no user is signed in. */
    email: hash().nullable(),
    /** The language as canonical BCP 47, or {@link UNREADABLE_LANGUAGE}. Null: the app did not send it. */
    language: orNull(text(LANGUAGE_LENGTH)),
    country: country(),
    appVersion: appVersion(),
  }),
  reply: z.object({ deviceId: uuid() }),
  key: (input) => input.tokenHash,
});

/** An unknown token, or a token that is already unregistered, is not an error. */
export const UnregisterDevice = command('UnregisterDevice', {
  description: 'Unregisters an installed app: nothing is sent to its token until it registers again.',
  input: z.object({ appId: uuid(), tokenHash: hash() }),
  reply: z.object({
    /** Null: there is nothing to remove, or a later registration overrides this command. */
    deviceId: uuid().nullable(),
  }),
  key: (input) => input.tokenHash,
});

/** Spec 4.8. The command is never refused, because an old push is not the app's fault. */
export const RecordOpen = command('RecordOpen', {
  description: 'Records that a person opened a push.',
  input: z.object({
    appId: uuid(),
    notificationId: text(200).min(1),
    /** The SHA-256 of the token. Null when the app does not send it. */
    tokenHash: hash().nullable(),
    platform: orNull(Platform),
    country: country(),
    appVersion: appVersion(),
  }),
  reply: z.object({
    /** True when the app has this notification. */
    known: z.boolean(),
  }),
  key: (input, id) => input.tokenHash ?? id,
});
