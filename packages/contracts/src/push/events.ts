// What happens in push, for everybody to read.
import { z } from 'zod';
import { Platform } from '../attribution.ts';
import { event } from '../define.ts';
import { text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';

const appId = () => uuid().describe('The app.');
const deviceId = () => uuid().describe('The installed app, as in `push.registered`: one id for each token of an app.');
const kind = () => PushKind.describe('Who takes pushes for the token: `fcm` (Firebase) or `apns` (Apple).');
const platform = () => Platform.describe('What the device is.');
const notificationId = () => uuid().describe('The notification, as `send` answered.');
const deliveryId = () => uuid().describe('This notification to this device. Of APNs the `apns-id`, too.');

export const PushRegistered = event({
  name: 'PushRegistered',
  description: 'An installed app registered for push, or did so again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.registered',
  data: z.object({
    deviceId: deviceId(),
    appId: appId(),
    platform: platform(),
    kind: kind(),
    signedIn: z.boolean().describe('Whether the app said who is signed in. Pushes to a person go to where they are.'),
  }),
  key: (data) => data.deviceId,
});

export const PushUnregistered = event({
  name: 'PushUnregistered',
  description: 'An installed app said that it wants no more pushes: nothing is sent to it until it registers again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.unregistered',
  data: z.object({ deviceId: deviceId(), appId: appId(), platform: platform(), kind: kind() }),
  key: (data) => data.deviceId,
});

export const PushSent = event({
  name: 'PushSent',
  description: 'A provider took a push for a device. Whether the device got or showed it nobody is told.',
  audience: 'public',
  producer: 'push',
  topic: 'push.sent',
  data: z.object({
    notificationId: notificationId(),
    deliveryId: deliveryId(),
    appId: appId(),
    deviceId: deviceId(),
    kind: kind(),
    logged: z
      .boolean()
      .describe('It went to no provider: the app has no credentials for it, and what would be sent was logged.'),
  }),
  key: (data) => data.deviceId,
});

export const PushFailed = event({
  name: 'PushFailed',
  description: 'A push to a device was given up, or nobody knows what became of it.',
  audience: 'public',
  producer: 'push',
  topic: 'push.failed',
  data: z.object({
    notificationId: notificationId(),
    deliveryId: deliveryId(),
    appId: appId(),
    deviceId: deviceId(),
    kind: kind(),
    outcome: z
      .enum(['failed', 'unknown'])
      .describe(
        '`failed`: the device does not get it. `unknown`: it was sent, and no answer came; it may have arrived.',
      ),
    reason: text(200).describe("Why, in a word: the provider's own, or `expired`, `no-credentials`, `token-dropped`."),
  }),
  key: (data) => data.deviceId,
});

export const PushOpened = event({
  name: 'PushOpened',
  description: 'A person opened a push. Told once for a notification and a device.',
  audience: 'public',
  producer: 'push',
  topic: 'push.opened',
  data: z.object({
    notificationId: text(200).describe('The notification, as the app said it.'),
    known: z.boolean().describe('Whether it is a notification of the app that is known here.'),
    appId: appId(),
    deviceId: deviceId().nullable().describe('The installed app. Null when it did not say its token, or is not known.'),
  }),
  key: (data, id) => data.deviceId ?? id,
});

export const PushTokenDropped = event({
  name: 'PushTokenDropped',
  description:
    'A provider said that a token is of no use any more: nothing is sent to it until the app registers it again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.dropped',
  data: z.object({
    deviceId: deviceId(),
    appId: appId(),
    kind: kind(),
    reason: text(200).describe("The provider's word for it."),
  }),
  key: (data) => data.deviceId,
});
