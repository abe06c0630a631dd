// Why somebody did not get a push: what became of it on each device, in words.
import { z } from 'zod';
import { Platform } from '../attribution.ts';
import { request } from '../define.ts';
import { cursor, hash, instant, page, text, uuid } from '../fields.ts';
import { PushEnvironment, PushKind } from './devices.ts';
import { LANGUAGE_LENGTH } from './message.ts';

const queries = 'push.queries';

/**
 * `queued`: it waits, or is on its way. `sent`: the provider took it. `logged`: it went to no provider but the log. `unknown`: it
 * was sent, and no answer came. `none`: the notification was not for this device.
 */
export const DeliveryState = z.enum(['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none']);
export type DeliveryState = z.output<typeof DeliveryState>;

export const PushDelivery = z.object({
  /** Null where the notification was not for the device. */
  id: uuid().nullable(),
  deviceId: uuid(),
  /** Null when the device is not known any more. */
  platform: Platform.nullable(),
  kind: PushKind,
  language: text(LANGUAGE_LENGTH).nullable(),
  state: DeliveryState,
  /** A word of the provider's, or one of ours. */
  reason: text(200).nullable(),
  /** The same as a sentence. */
  explanation: text(1_000),
  attempts: z.int().min(0),
  /** When it is tried next; null where it is not. */
  nextAt: instant().nullable(),
  endedAt: instant().nullable(),
  openedAt: instant().nullable(),
});
export type PushDelivery = z.output<typeof PushDelivery>;

export const ListDeliveries = request({
  kind: 'query',
  name: 'ListDeliveries',
  description: 'What became of a notification on each device, or on those of a person, also where it was not for them.',
  topic: queries,
  input: z.object({
    notificationId: uuid(),
    /** Null: any. */
    state: DeliveryState.nullable(),
    /** Of whoever is or was signed in there. */
    email: hash().nullable(),
    deviceId: uuid().nullable(),
    ...page,
  }),
  reply: z.object({
    deliveries: z.array(PushDelivery),
    /** What there is to say where there is no delivery to say it of. */
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
  /** `live`: pushes go there. `signed-out`: they were signed in there. `dropped`: nothing is sent there. */
  state: z.enum(['live', 'signed-out', 'dropped']),
  /** The same as a sentence, with the reason. */
  explanation: text(1_000),
  firstSeen: instant(),
  lastSeen: instant(),
  droppedAt: instant().nullable(),
  dropReason: text(200).nullable(),
});
export type PersonsDevice = z.output<typeof PersonsDevice>;

export const ListDevices = request({
  kind: 'query',
  name: 'ListDevices',
  description:
    'The devices of an app on which a person is or was signed in, and whether pushes go there; or all that pushes go to.',
  topic: queries,
  /** `email` null: of anybody, and without those that nothing is sent to. */
  input: z.object({ appId: uuid(), email: hash().nullable(), ...page }),
  reply: z.object({ devices: z.array(PersonsDevice), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.appId,
});
