// Notifications: to whom, how many, and what became of them.
import { z } from 'zod';
import { AuditEntry, actor } from '../account/index.ts';
import { Platform } from '../attribution.ts';
import { request } from '../define.ts';
import { cursor, hash, instant, page, text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';
import { LANGUAGE_LENGTH, PushMessage, PushMessageChange } from './message.ts';

const queries = 'push.queries';
const commands = 'push.commands';

/** FCM keeps nothing longer. */
export const LONGEST_TTL_SECONDS = 28 * 86_400;
/** What one call may name, people or tokens. */
export const MOST_NAMED = 1_000;

/** Whom it is for: all that is not null must hold. All null: every device of the app. */
export const PushTarget = z.object({
  platform: Platform.nullable(),
  emails: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** SHA-256 of each. */
  tokens: z.array(hash()).min(1).max(MOST_NAMED).nullable(),
  /** Devices that registered in so many days before it is sent. */
  seenWithinDays: z.int().min(1).max(3_650).nullable(),
});
export type PushTarget = z.output<typeof PushTarget>;

/**
 * `scheduled`: for later. `sending`: some devices are still queued. `sent`: none is any more. `cancelled`: while it was
 * scheduled. `stopped`: while it was being sent.
 */
export const NotificationStatus = z.enum(['scheduled', 'sending', 'sent', 'cancelled', 'stopped']);
export type NotificationStatus = z.output<typeof NotificationStatus>;

export const Notification = z.object({
  id: uuid(),
  appId: uuid(),
  message: PushMessage,
  /** How many were named, instead of who. */
  target: PushTarget.omit({ emails: true, tokens: true }).extend({
    emails: z.int().min(1).nullable(),
    tokens: z.int().min(1).nullable(),
  }),
  status: NotificationStatus,
  createdAt: instant(),
  sendAt: instant(),
  /** What is not sent by then fails with `expired`. */
  expiresAt: instant(),
  cancelledAt: instant().nullable(),
  stoppedAt: instant().nullable().default(null),
  /** Devices. Before all of them are queued: as many as there were when it was asked for. */
  targeted: z.int().min(0),
  /** Devices by what became of them. Whoever `opened` it is counted under `sent`, too. Nobody is told whether it was shown. */
  counts: z.object({
    queued: z.int().min(0),
    /** The provider took it. */
    sent: z.int().min(0),
    failed: z.int().min(0),
    /** It was sent, and no answer came. */
    unknown: z.int().min(0),
    opened: z.int().min(0),
    /** Nobody got it: the app has no credentials for the provider, and what would be sent went into the log. */
    logged: z.int().min(0).default(0),
    /** It was stopped before they got it. */
    stopped: z.int().min(0).default(0),
  }),
  /** Of what an edit changes. */
  version: z.int().min(1).default(1),
});
export type Notification = z.output<typeof Notification>;

const NOTIFICATION_NOT_FOUND = z.object({});

const toSend = { appId: uuid(), message: PushMessage, target: PushTarget };
/** Of the provider whose limit it is over, in bytes, and which form of it is: of a platform, in a language. */
const PUSH_TOO_LARGE = z.object({
  bytes: z.int(),
  limit: z.int(),
  kind: PushKind,
  platform: Platform.nullable().default(null),
  /** Null: the texts that are in no language of their own. */
  language: text(LANGUAGE_LENGTH).nullable().default(null),
});

/** Providers of devices that it is for, for which the app has no credentials: those devices do not get it. */
const withoutCredentials = z.array(PushKind).default([]);

/** Spec 4.9. The message's id becomes the notification's; with an idempotency key it is derived from it. */
export const SendPush = request({
  kind: 'command',
  name: 'SendPush',
  description: 'Sends a push to the devices of an app, at once or at a time.',
  topic: commands,
  input: z.object({
    actor: actor(),
    /** Of the app: in whose audit log it stands. */
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

/** What `SendPush` would do. */
export const TryPush = request({
  kind: 'query',
  name: 'TryPush',
  description: 'Looks at a push without sending it: how many devices it would go to, and whether it is too large.',
  topic: queries,
  input: z.object(toSend),
  reply: z.object({ targeted: z.int().min(0), withoutCredentials }),
  refusals: { PUSH_TOO_LARGE },
  key: (input) => input.appId,
});

export const CountAudience = request({
  kind: 'query',
  name: 'CountAudience',
  description: 'How many devices a push would go to.',
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
  description: 'Takes a push back that is scheduled.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid().nullable(), notificationId: uuid() }),
  reply: z.object({ notification: Notification }),
  /** It is being sent, or was. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_BEGUN: z.object({}) },
  key: (input) => input.notificationId,
});

export const StopPush = request({
  kind: 'command',
  name: 'StopPush',
  description:
    'Stops a push that is being sent: whoever it is not on its way to does not get it. One that is scheduled is taken back.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid().nullable(), notificationId: uuid() }),
  reply: z.object({ notification: Notification }),
  /** It was sent to all of its devices. One that was stopped or taken back is answered as it is. */
  refusals: { NOTIFICATION_NOT_FOUND, PUSH_SENT: z.object({}) },
  key: (input) => input.notificationId,
});

export const EditPush = request({
  kind: 'command',
  name: 'EditPush',
  description: 'Changes a push that is scheduled: what it says, whom it is for and when it is sent.',
  topic: commands,
  input: z.object({
    actor: actor(),
    teamId: uuid().nullable(),
    notificationId: uuid(),
    /** Refused when it has another. Null: whatever it has. */
    ifVersion: z.int().nullable(),
    /** What is left out stays as it is. */
    message: PushMessageChange,
    target: PushTarget.optional(),
    /** One that is past: at once. */
    sendAt: instant().optional(),
    ttlSeconds: z.int().min(0).max(LONGEST_TTL_SECONDS).optional(),
  }),
  reply: z.object({ notification: Notification }),
  refusals: {
    NOTIFICATION_NOT_FOUND,
    /** It is being sent, was sent, or was taken back. */
    PUSH_BEGUN: z.object({}),
    VERSION_MISMATCH: z.object({}),
    PUSH_TOO_LARGE,
    /** It would show nothing, and is not silent. */
    PUSH_WITHOUT_TITLE: z.object({}),
  },
  key: (input) => input.notificationId,
});

export const FindNotification = request({
  kind: 'query',
  name: 'FindNotification',
  description: 'A notification, with what became of it.',
  topic: queries,
  input: z.object({ notificationId: uuid() }),
  reply: z.object({
    notification: Notification,
    /** Why devices did not get it, the most frequent first, at most 20. */
    reasons: z.array(z.object({ reason: text(200), count: z.int().min(1) })),
  }),
  refusals: { NOTIFICATION_NOT_FOUND },
  key: (input) => input.notificationId,
});

export const ListNotifications = request({
  kind: 'query',
  name: 'ListNotifications',
  description: 'The notifications of an app, latest first.',
  topic: queries,
  input: z.object({ appId: uuid(), ...page }),
  reply: z.object({ notifications: z.array(Notification), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.appId,
});

/** `before` and `after` hold no secrets. Emails are the account service's to say. */
export const PushAuditEntry = AuditEntry.omit({ actorEmail: true });
export type PushAuditEntry = z.output<typeof PushAuditEntry>;

/** Asked as `ListAudit` is, and with the same cursor: together they make one log. */
export const ListPushChanges = request({
  kind: 'query',
  name: 'ListPushChanges',
  description: 'What was done about push in a team, latest first.',
  topic: queries,
  input: z.object({ teamId: uuid(), appId: uuid().nullable(), userId: uuid().nullable(), ...page }),
  reply: z.object({ entries: z.array(PushAuditEntry), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.teamId,
});
