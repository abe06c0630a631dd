// Public events of the push service.
import { z } from 'zod';
import { appVersion, country, Platform } from '../client.ts';
import { event } from '../define.ts';
import { text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';

const appId = () => uuid().describe('The app.');
const deviceId = () => uuid().describe('The installed app, as in `push.registered`. Each token of an app has one id.');
const kind = () => PushKind.describe('The provider of the token: `fcm` (Firebase) or `apns` (Apple).');
const platform = () => Platform.describe('The platform of the device.');
const notificationId = () => uuid().describe('The id of the notification, as in the answer of `send`.');
const deliveryId = () =>
  uuid().describe('The id of this notification on this device. For APNs it is also the `apns-id`.');

export const PushRegistered = event({
  name: 'PushRegistered',
  description: 'An installed app registered for push, or registered again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.registered',
  data: z.object({
    deviceId: deviceId(),
    appId: appId(),
    platform: platform(),
    kind: kind(),
    signedIn: z
      .boolean()
      .describe('True when the app named its signed-in user. Pushes to a person go to these devices.'),
    country: country(),
    appVersion: appVersion(),
  }),
  key: (data) => data.deviceId,
});

export const PushUnregistered = event({
  name: 'PushUnregistered',
  description:
    'An installed app unregistered from push, or a person deleted the device: nothing is sent to it until it registers again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.unregistered',
  data: z.object({
    deviceId: deviceId(),
    appId: appId(),
    platform: platform(),
    kind: kind(),
    by: z
      .enum(['app', 'person'])
      .default('app')
      .describe('`app`: the app unregistered. `person`: a person deleted the device in the management API.'),
  }),
  key: (data) => data.deviceId,
});

export const PushSent = event({
  name: 'PushSent',
  description:
    'A provider accepted a push for a device. Providers do not report whether the device received or showed it.',
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
      .describe('True when it went to no provider: the app has no credentials for it, and the push was logged.'),
    platform: Platform.nullable()
      .default(null)
      .describe('The platform of the device. Null in events of older versions.'),
  }),
  key: (data) => data.deviceId,
});

export const PushFailed = event({
  name: 'PushFailed',
  description: 'A push to a device failed, or its result is unknown.',
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
    reason: text(200).describe(
      "The reason as a code: the provider's own, or `expired`, `no-credentials`, `token-dropped`.",
    ),
  }),
  key: (data) => data.deviceId,
});

export const PushOpened = event({
  name: 'PushOpened',
  description:
    'A person opened a push. Sent once for a notification and a registered device. A report without a token, or with one that nobody registered, is no event.',
  audience: 'public',
  producer: 'push',
  topic: 'push.opened',
  data: z.object({
    notificationId: text(200).describe('The id of the notification, as sent by the app.'),
    known: z.boolean().describe('True when the app has this notification here.'),
    appId: appId(),
    deviceId: deviceId()
      .nullable()
      .describe('The installed app. Null in events of older versions, for an app that sent no token or is not known.'),
    platform: Platform.nullable().default(null).describe('The platform of the device. Null: unknown.'),
    country: country(),
    appVersion: appVersion(),
  }),
  key: (data, id) => data.deviceId ?? id,
});

export const PushTokenDropped = event({
  name: 'PushTokenDropped',
  description:
    'A provider reported that a token is no longer valid: nothing is sent to it until the app registers it again.',
  audience: 'public',
  producer: 'push',
  topic: 'push.dropped',
  data: z.object({
    deviceId: deviceId(),
    appId: appId(),
    kind: kind(),
    reason: text(200).describe("The provider's code for it."),
  }),
  key: (data) => data.deviceId,
});
