// Messages about notifications: audience, numbers and results.
import { z } from 'zod';
import { AuditEntry, actor } from '../account/index.ts';
import { Platform } from '../attribution.ts';
import { request } from '../define.ts';
import { cursor, hash, instant, page, text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';
import { LANGUAGE_LENGTH, PushMessage, PushMessageChange } from './message.ts';

const queries = 'push.queries';
const commands = 'push.commands';

/** The longest time that FCM keeps a push, in seconds. */
export const LONGEST_TTL_SECONDS = 28 * 86_400;
/** The maximum number of people or tokens in one call. */
export const MOST_NAMED = 1_000;

/** The audience: a device must match all fields that are not null. All null: every device of the app. */
export const PushTarget = z.object({
  platform: Platform.nullable(),
  emails: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** The SHA-256 of each token. */
  tokens: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** Devices that registered within this number of days before the time of sending. */
  seenWithinDays: z.int().min(1).max(3_650).nullable(),
});
export type PushTarget = z.output<typeof PushTarget>;

/**
 * `scheduled`: for later. `sending`: some devices are still queued. `sent`: no device is queued any more. `cancelled`:
 * cancelled before its time. `stopped`: stopped while it was being sent.
 */
export const NotificationStatus = z.enum(['scheduled', 'sending', 'sent', 'cancelled', 'stopped']);
export type NotificationStatus = z.output<typeof NotificationStatus>;

export const Notification = z.object({
  id: uuid(),
  appId: uuid(),
  message: PushMessage,
  /** The number of named people and tokens, not their hashes. */
  target: PushTarget.omit({ emails: true, tokens: true }).extend({
    emails: z.int().min(1).nullable(),
    tokens: z.int().min(1).nullable(),
  }),
  status: NotificationStatus,
  createdAt: instant(),
  sendAt: instant(),
  /** Pushes that are not sent by then fail with `expired`. */
  expiresAt: instant(),
  cancelledAt: instant().nullable(),
  stoppedAt: instant().nullable().default(null),
  /** The number of devices. Before all of them are queued it is the number at the time of the request. */
  targeted: z.int().min(0),
  /**
   * Devices by their result. A device that `opened` it also counts under `sent`. Providers do not report whether it was
   * shown.
   */
  counts: z.object({
    queued: z.int().min(0),
    /** The provider accepted it. */
    sent: z.int().min(0),
    failed: z.int().min(0),
    /** It was sent, and no answer came. */
    unknown: z.int().min(0),
    opened: z.int().min(0),
    /** No device got it: the app has no credentials for the provider, and the push was logged. */
    logged: z.int().min(0).default(0),
    /** It was stopped before the devices got it. */
    stopped: z.int().min(0).default(0),
  }),
  /** The version of the editable fields. */
  version: z.int().min(1).default(1),
});
export type Notification = z.output<typeof Notification>;

const NOTIFICATION_NOT_FOUND = z.object({});

const toSend = { appId: uuid(), message: PushMessage, target: PushTarget };
/** The size in bytes and the limit of the provider, with the platform and language of the form that is too large. */
const PUSH_TOO_LARGE = z.object({
  bytes: z.int(),
  limit: z.int(),
  kind: PushKind,
  platform: Platform.nullable().default(null),
  /** Null: the default texts. */
  language: text(LANGUAGE_LENGTH).nullable().default(null),
});

/** Providers in the audience for which the app has no credentials. Their devices do not get the push. */
const withoutCredentials = z.array(PushKind).default([]);

/**
 * Spec 4.9. The id of the message becomes the id of the notification. It is derived from the idempotency key if there
 * is one.
 */
export const SendPush = request({
  kind: 'command',
  name: 'SendPush',
  description: 'Sends a push to the devices of an app, at once or at a given time.',
  topic: commands,
  input: z.object({
    actor: actor(),
    /** The team of the app, whose audit log gets the entry. */
    teamId: uuid().nullable(),
    ...toSend,
    /** Null: at once. */
    sendAt: instant().nullable(),
    ttlSeconds: z.int().min(0).max(LONGEST_TTL_SECONDS),
  }),
  reply: z.object({ notificationId: uuid(), status: NotificationStatus, targeted: z.int().min(0), withoutCredentials }),
  refusals: { PUSH_TOO_LARGE, IDEMPOTENCY_KEY_REUSED: z.object({}) },
  key: (_, id) => id,
});

/** The result that `SendPush` would have. */
export const TryPush = request({
  kind: 'query',
  name: 'TryPush',
  description: 'Checks a push without sending it: the number of devices, and whether it is too large.',
  topic: queries,
  input: z.object(toSend),
  reply: z.object({ targeted: z.int().min(0), withoutCredentials }),
  refusals: { PUSH_TOO_LARGE },
  key: (input) => input.appId,
});

export const CountAudience = request({
  kind: 'query',
  name: 'CountAudience',
  description: 'Counts the devices in the audience of a push.',
  topic: queries,
  input: z.object({ appId: uuid(), target: PushTarget }),
  reply: z.object({
    targeted: z.int().min(0),
    byKind: z.object({ fcm: z.int().min(0), apns: z.int().min(0) }),
    byPlatform: z.object({ ios: z.int().min(0), android: z.int().min(0) }),
  }),
  refusals: {},
  key: (input) => input.appId,
});

export const CancelPush = request({
  kind: 'command',
  name: 'CancelPush',
  description: 'Cancels a scheduled push.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid().nullable(), notificationId: uuid() }),
  reply: z.object({ notification: Notification }),
  /** The push is being sent, or was sent. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_BEGUN: z.object({}) },
  key: (input) => input.notificationId,
});

export const StopPush = request({
  kind: 'command',
  name: 'StopPush',
  description:
    'Stops a push that is being sent: devices to which it is not yet on its way do not get it. A scheduled push is cancelled.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid().nullable(), notificationId: uuid() }),
  reply: z.object({ notification: Notification }),
  /** The push was sent to all of its devices. A stopped or cancelled push gets its unchanged state as the reply. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_SENT: z.object({}) },
  key: (input) => input.notificationId,
});

export const EditPush = request({
  kind: 'command',
  name: 'EditPush',
  description: 'Changes a scheduled push: its content, its audience and its time.',
  topic: commands,
  input: z.object({
    actor: actor(),
    teamId: uuid().nullable(),
    notificationId: uuid(),
    /** Refused when the push has another version. Null: any version. */
    ifVersion: z.int().nullable(),
    /** Omitted fields do not change. */
    message: PushMessageChange,
    target: PushTarget.optional(),
    /** A past time means at once. */
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
    /** The push would show nothing, and is not silent. */
    PUSH_WITHOUT_TITLE: z.object({}),
  },
  key: (input) => input.notificationId,
});

export const FindNotification = request({
  kind: 'query',
  name: 'FindNotification',
  description: 'Finds a notification with its results.',
  topic: queries,
  input: z.object({ notificationId: uuid() }),
  reply: z.object({
    notification: Notification,
    /** The reasons why devices did not get it, the most frequent first, at most 20. */
    reasons: z.array(z.object({ reason: text(200), count: z.int().min(1) })),
  }),
  refusals: { NOTIFICATION_NOT_FOUND },
  key: (input) => input.notificationId,
});

export const ListNotifications = request({
  kind: 'query',
  name: 'ListNotifications',
  description: 'Lists the notifications of an app, latest first.',
  topic: queries,
  input: z.object({ appId: uuid(), ...page }),
  reply: z.object({ notifications: z.array(Notification), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.appId,
});

/** `before` and `after` hold no secrets. The account service adds the emails. */
export const PushAuditEntry = AuditEntry.omit({ actorEmail: true });
export type PushAuditEntry = z.output<typeof PushAuditEntry>;

/** Same input and cursor as `ListAudit`, so that together they make one log. */
export const ListPushChanges = request({
  kind: 'query',
  name: 'ListPushChanges',
  description: 'Lists the changes of push in a team, latest first.',
  topic: queries,
  input: z.object({ teamId: uuid(), appId: uuid().nullable(), userId: uuid().nullable(), ...page }),
  reply: z.object({ entries: z.array(PushAuditEntry), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.teamId,
});
