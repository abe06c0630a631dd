// Messages about one device: its history, and its deletion.
import { z } from 'zod';
import { actor } from '../account/index.ts';
import { requestsOf } from '../define.ts';
import { cursor, instant, page, text, uuid } from '../fields.ts';
import { DeliveryState, PersonsDevice } from './deliveries.ts';
import { TITLE_LENGTH } from './message.ts';

const { query, command } = requestsOf('push');

export const DeviceEvent = z.object({
  /** For a push that waits: the time at which it is due. */
  at: instant(),
  /**
   * `registered`: the app registered the token for the first time. `seen`: the latest registration. `person`: another
   * user signed in, or the user signed out. `dropped`: since then no push goes to the device. `push`: the result of a
   * notification. `opened`: the user opened a notification.
   */
  kind: z.enum(['registered', 'seen', 'person', 'dropped', 'push', 'opened']),
  /** The event as a sentence. */
  explanation: text(1_000),
  /** The result of the notification. Only for `push`. */
  state: DeliveryState.nullable(),
  /** Only for `push` and `opened`. */
  notificationId: uuid().nullable(),
  /** The title of the notification. Empty when the notification is silent. */
  title: text(TITLE_LENGTH).nullable(),
});
export type DeviceEvent = z.output<typeof DeviceEvent>;

export const FindDevice = query({
  name: 'FindDevice',
  description:
    'Finds a device of an app, and what is known of it: its registrations, and the notifications that went to it. Latest first within a page.',
  input: z.object({ appId: uuid(), deviceId: uuid(), ...page }),
  reply: z.object({
    device: PersonsDevice,
    /** The first page also has the registrations. A page may be empty before the end. */
    events: z.array(DeviceEvent),
    next: cursor().nullable(),
  }),
  refusals: { DEVICE_NOT_FOUND: z.object({}) },
  key: (input) => input.deviceId,
});

/** The id of the app is part of the command, so that nobody deletes a device of another app. */
export const DeleteDevice = command({
  name: 'DeleteDevice',
  description: 'Deletes the token of a device and everything about its users. The app may register it again.',
  input: z.object({ actor: actor(), teamId: uuid().nullable(), appId: uuid(), deviceId: uuid() }),
  reply: z.object({}),
  refusals: { DEVICE_NOT_FOUND: z.object({}) },
  key: (input) => input.deviceId,
});
