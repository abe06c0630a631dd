// Messages that explain why a person did not get a push: the result on each device in words, and the history of a device.
import { z } from 'zod';
import { actor } from '../account/index.ts';
import { Platform } from '../client.ts';
import { requestsOf } from '../define.ts';
import { cursor, hash, instant, orNull, page, text, uuid } from '../fields.ts';
import { PushEnvironment, PushKind } from './devices.ts';
import { LANGUAGE_LENGTH, TITLE_LENGTH } from './message.ts';

const { query, command } = requestsOf('push');

/** `sent`: the provider took it. `logged`: only the log did. `unknown`: no answer came. `none`: not for this device. */
export const DeliveryState = z.enum(['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none']);
export type DeliveryState = z.output<typeof DeliveryState>;

export const PushDelivery = z.object({
  /** Null when the notification was not for the device. */
  id: uuid().nullable(),
  deviceId: uuid(),
  /** Null when the device is no longer known. */
  platform: Platform.nullable(),
  kind: PushKind,
  language: text(LANGUAGE_LENGTH).nullable(),
  state: DeliveryState,
  /** A code of the provider, or a code of Landfall. */
  reason: text(200).nullable(),
  /** The result and its reason as a sentence. */
  explanation: text(1_000),
  attempts: z.int().min(0),
  /** The time of the next retry. Null when there is none. */
  nextAt: instant().nullable(),
  endedAt: instant().nullable(),
  openedAt: instant().nullable(),
});
export type PushDelivery = z.output<typeof PushDelivery>;

export const ListDeliveries = query('ListDeliveries', {
  description:
    'Lists the results of a notification on each device, or on the devices of a person, including devices that it was not for.',
  input: z.object({
    notificationId: uuid(),
    state: DeliveryState.nullable(),
    /** Only devices on which this user is or was signed in. */
    email: hash().nullable(),
    deviceId: uuid().nullable(),
    ...page,
  }),
  reply: z.object({
    deliveries: z.array(PushDelivery),
    /** Explains why the list has no delivery. */
    explanation: text(1_000).nullable(),
    next: cursor().nullable(),
  }),
  refusals: { NOTIFICATION_NOT_FOUND: z.object({}) },
  key: (input) => input.notificationId,
});

export const PersonsDevice = z.object({
  id: uuid(),
  platform: Platform,
  kind: PushKind,
  environment: PushEnvironment.nullable(),
  language: text(LANGUAGE_LENGTH).nullable(),
  /** `live`: pushes go there. `signed-out`: the user was signed in there before. `dropped`: no push goes there. */
  state: z.enum(['live', 'signed-out', 'dropped']),
  explanation: text(1_000),
  firstSeen: instant(),
  lastSeen: instant(),
  droppedAt: instant().nullable(),
  dropReason: text(200).nullable(),
  /** The credentials of the app for the provider of the device. Without them, and while they are paused, no push arrives. */
  credentials: orNull(z.enum(['set', 'paused', 'missing'])),
  /** Whether a user is signed in there. Null: sent by an older version. */
  hasUser: orNull(z.boolean()),
});
export type PersonsDevice = z.output<typeof PersonsDevice>;

export const ListDevices = query('ListDevices', {
  description:
    'Lists the devices of an app on which a person is or was signed in, and whether pushes go there. Without a person it lists all devices that get pushes.',
  /**
   * Null `email`: the devices of all people, except devices that get no pushes. `tokenHash`: the one with this token alone.
   * `idStart`: those whose id begins with these hexadecimal digits, whether they get pushes or not.
   */
  input: z.object({
    appId: uuid(),
    email: hash().nullable(),
    tokenHash: orNull(hash()),
    idStart: orNull(z.string().regex(/^[\da-f]{8,32}$/)),
    platform: orNull(Platform),
    ...page,
  }),
  reply: z.object({
    devices: z.array(PersonsDevice),
    next: cursor().nullable(),
    total: orNull(z.int().min(0)).describe(
      'All devices that match. Only on the first page. Null also for a person whose devices are more than one page.',
    ),
  }),
  key: (input) => input.appId,
});

export const DeviceEvent = z.object({
  /** For a push that waits: the time at which it is due. */
  at: instant(),
  /** `seen`: the latest registration. `person`: the user changed. `push`: its result. `opened`: the user opened it. */
  kind: z.enum(['registered', 'seen', 'person', 'dropped', 'push', 'opened']),
  explanation: text(1_000),
  /** The result of the notification. Only for `push`. */
  state: DeliveryState.nullable(),
  /** Only for `push` and `opened`. */
  notificationId: uuid().nullable(),
  /** The title of the notification. Empty when the notification is silent. */
  title: text(TITLE_LENGTH).nullable(),
});
export type DeviceEvent = z.output<typeof DeviceEvent>;

export const FindDevice = query('FindDevice', {
  description:
    'Finds a device of an app, and what is known of it: its registrations, and the notifications that went to it. Latest first within a page.',
  input: z.object({ appId: uuid(), deviceId: uuid(), ...page }),
  reply: z.object({
    device: PersonsDevice,
    /** The first page also has the registrations. A page may be empty before the end. */
    events: z.array(DeviceEvent),
    next: cursor().nullable(),
    /** The hash of the user who is signed in there. */
    user: orNull(hash()),
  }),
  refusals: { DEVICE_NOT_FOUND: z.object({}) },
  key: (input) => input.deviceId,
});

/** The id of the app is part of the command, so that nobody deletes a device of another app. */
export const DeleteDevice = command('DeleteDevice', {
  description: 'Deletes the token of a device and everything about its users. The app may register it again.',
  input: z.object({ actor: actor(), teamId: uuid().nullable(), appId: uuid(), deviceId: uuid() }),
  reply: z.object({}),
  refusals: { DEVICE_NOT_FOUND: z.object({}) },
  key: (input) => input.deviceId,
});
