// Messages about notifications: audience, numbers and results.
import { z } from 'zod';
import { Actor, AuditEntry, actor } from '../account/index.ts';
import { Platform } from '../client.ts';
import { requestsOf } from '../define.ts';
import { cursor, hash, instant, orNull, page, text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';
import { LANGUAGE_LENGTH, PushMessage, PushMessageChange } from './message.ts';

const { query, command } = requestsOf('push');

/** The longest time that FCM keeps a push, in seconds. */
export const LONGEST_TTL_SECONDS = 28 * 86_400;
/** The maximum number of people or tokens that one call may name. */
export const MOST_NAMED = 1_000;

/** A device must match all fields that are not null. All null: every device of the app. */
export const PushTarget = z.object({
  platform: Platform.nullable(),
  emails: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** The SHA-256 of each token. */
  tokens: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** Devices that registered within this number of days before the time of sending. */
  seenWithinDays: z.int().min(1).max(3_650).nullable(),
});
export type PushTarget = z.output<typeof PushTarget>;

/** `sending`: some devices are still queued. `sent`: none is. `cancelled`: before its time. `stopped`: in between. */
export const NotificationStatus = z.enum(['scheduled', 'sending', 'sent', 'cancelled', 'stopped']);
export type NotificationStatus = z.output<typeof NotificationStatus>;

const count = () => z.int().min(0);

export const Notification = z.object({
  id: uuid(),
  appId: uuid(),
  message: PushMessage,
  /** `emails` and `tokens` hold the number of named people and tokens, not their hashes. */
  target: PushTarget.omit({ emails: true, tokens: true }).extend({
    emails: z.int().min(1).nullable(),
    tokens: z.int().min(1).nullable(),
  }),
  status: NotificationStatus,
  createdAt: instant(),
  sendAt: instant(),
  /** Pushes that are not sent before this time fail with `expired`. */
  expiresAt: instant(),
  cancelledAt: instant().nullable(),
  stoppedAt: orNull(instant()),
  /** The number of devices. Until all devices are queued, it is the number at the time of the request. */
  targeted: count(),
  /** Devices by result. One in `opened` also counts in `sent`. Providers do not report what a device showed. */
  counts: z.object({
    queued: count(),
    /** The provider accepted the push. */
    sent: count(),
    failed: count(),
    /** The push was sent, and no answer came. */
    unknown: count(),
    opened: count(),
    /** The push was only logged, because the app has no credentials for the provider. No device got it. */
    logged: count().default(0),
    stopped: count().default(0),
  }),
  /** The version of the editable fields. */
  version: z.int().min(1).default(1),
});
export type Notification = z.output<typeof Notification>;

const NOTIFICATION_NOT_FOUND = z.object({});

const change = { actor: actor(), teamId: uuid().nullable(), notificationId: uuid() };

const toSend = { appId: uuid(), message: PushMessage, target: PushTarget };
/** The form of the push that is too large, its size in bytes, and the limit of the provider. */
const PUSH_TOO_LARGE = z.object({
  bytes: z.int(),
  limit: z.int(),
  kind: PushKind,
  platform: orNull(Platform),
  /** Null: the default texts. */
  language: orNull(text(LANGUAGE_LENGTH)),
});

/** The providers in the audience for which the app has no credentials. Their devices do not get the push. */
const withoutCredentials = z.array(PushKind).default([]);

/** Spec 4.9. The id of the message becomes the id of the notification. It comes from the idempotency key, if any. */
export const SendPush = command('SendPush', {
  description: 'Sends a push to the devices of an app, at once or at a given time.',
  input: z.object({
    actor: actor(),
    /** The team of the app. The audit log of this team gets the entry. */
    teamId: uuid().nullable(),
    ...toSend,
    /** Null: the push is sent at once. */
    sendAt: instant().nullable(),
    ttlSeconds: z.int().min(0).max(LONGEST_TTL_SECONDS),
  }),
  reply: z.object({ notificationId: uuid(), status: NotificationStatus, targeted: count(), withoutCredentials }),
  refusals: { PUSH_TOO_LARGE, IDEMPOTENCY_KEY_REUSED: z.object({}) },
  key: (_, id) => id,
});

export const TryPush = query('TryPush', {
  description: 'Checks a push without sending it: the number of devices, and whether it is too large.',
  input: z.object(toSend),
  reply: z.object({ targeted: count(), withoutCredentials }),
  refusals: { PUSH_TOO_LARGE },
  key: (input) => input.appId,
});

export const CountAudience = query('CountAudience', {
  description: 'Counts the devices in the audience of a push.',
  input: z.object({ appId: uuid(), target: PushTarget }),
  reply: z.object({
    targeted: count(),
    byKind: z.object({ fcm: count(), apns: count() }),
    byPlatform: z.object({ ios: count(), android: count() }),
    /** The hashes of the target that no device of the audience has. */
    emailsWithoutDevice: z.array(hash()).max(MOST_NAMED).default([]),
  }),
  key: (input) => input.appId,
});

export const CancelPush = command('CancelPush', {
  description: 'Cancels a scheduled push.',
  input: z.object(change),
  reply: z.object({ notification: Notification }),
  /** `PUSH_BEGUN`: the push is being sent, or was sent. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_BEGUN: z.object({}) },
  key: (input) => input.notificationId,
});

export const StopPush = command('StopPush', {
  description:
    'Stops a push that is being sent: devices to which it is not yet on its way do not get it. A scheduled push is cancelled.',
  input: z.object(change),
  reply: z.object({ notification: Notification }),
  /** `PUSH_SENT`: it went to all of its devices. A stopped or cancelled push is replied unchanged. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_SENT: z.object({}) },
  key: (input) => input.notificationId,
});

export const EditPush = command('EditPush', {
  description: 'Changes a scheduled push: its content, its audience and its time.',
  input: z.object({
    ...change,
    /** The command is refused when the push has another version. Null: any version. */
    ifVersion: z.int().nullable(),
    /** Omitted fields do not change. */
    message: PushMessageChange,
    target: PushTarget.optional(),
    /** A past time means that the push is sent at once. */
    sendAt: instant().optional(),
    ttlSeconds: z.int().min(0).max(LONGEST_TTL_SECONDS).optional(),
  }),
  reply: z.object({ notification: Notification }),
  refusals: {
    NOTIFICATION_NOT_FOUND,
    /** The push is being sent, was sent, or was cancelled. */
    PUSH_BEGUN: z.object({}),
    VERSION_MISMATCH: z.object({}),
    PUSH_TOO_LARGE,
    /** The push is not silent, and it would show nothing. */
    PUSH_WITHOUT_TITLE: z.object({}),
  },
  key: (input) => input.notificationId,
});

export const FindNotification = query('FindNotification', {
  description: 'Finds a notification with its results.',
  input: z.object({ notificationId: uuid() }),
  reply: z.object({
    notification: Notification,
    /** The reasons why devices did not get the push, at most 20. The most frequent reason is first. */
    reasons: z.array(z.object({ reason: text(200), count: z.int().min(1) })),
  }),
  refusals: { NOTIFICATION_NOT_FOUND },
  key: (input) => input.notificationId,
});

export const ListNotifications = query('ListNotifications', {
  description: 'Lists the notifications of an app, latest first.',
  input: z.object({ appId: uuid(), ...page }),
  reply: z.object({ notifications: z.array(Notification), next: cursor().nullable() }),
  key: (input) => input.appId,
});

/** Has the same cursor as the audit log of the console, so that both lists together make one log. */
export const ListPushChanges = query('ListPushChanges', {
  description: 'Lists the changes of push in a team, latest first.',
  input: z.object({
    teamId: uuid().nullable(),
    appId: uuid().nullable(),
    userId: uuid().nullable(),
    /** Only the entries of these actors. Left out: of all. */
    actorKind: Actor.shape.kind.optional(),
    /** True: the entries of every team, also those without one. */
    anyTeam: z.boolean().optional(),
    /** The name of the command: `SendPush`. Left out: all. */
    action: text(100).optional(),
    /** Only entries since this time. */
    from: instant().optional(),
    ...page,
  }),
  reply: z.object({ entries: z.array(AuditEntry), next: cursor().nullable() }),
  key: ({ teamId }) => teamId ?? '',
});
