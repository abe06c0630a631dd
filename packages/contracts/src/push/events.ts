import { z } from 'zod';
import { appVersion, country, Platform } from '../client.ts';
import { eventsOf } from '../define.ts';
import { orNull, text, uuid } from '../fields.ts';
import { PushKind } from './devices.ts';

const { publicEvent } = eventsOf('push');

const deviceId = uuid().describe('The installed app, as in `push.registered`. Each token of an app has one id.');
const ofApp = { appId: uuid().describe('The app.') };
const kind = PushKind.describe('The provider of the token: `fcm` (Firebase) or `apns` (Apple).');
const ofDevice = { deviceId, ...ofApp, platform: Platform.describe('The platform of the device.'), kind };
const ofDelivery = {
  notificationId: uuid().describe('The id of the notification, as in the answer of `send`.'),
  deliveryId: uuid().describe('The id of this notification on this device. For APNs it is also the `apns-id`.'),
  ...ofApp,
  deviceId,
  kind,
};

export const PushRegistered = publicEvent('PushRegistered', {
  description: 'An installed app registered for push, or registered again.',
  topic: 'push.registered',
  data: z.object({
    ...ofDevice,
    signedIn: z
      .boolean()
      .describe('True when the app named its signed-in user. Pushes to a person go to these devices.'),
    country: country(),
    appVersion: appVersion(),
  }),
  key: (data) => data.deviceId,
});

export const PushUnregistered = publicEvent('PushUnregistered', {
  description:
    'An installed app unregistered from push, or a person deleted the device: nothing is sent to it until it registers again.',
  topic: 'push.unregistered',
  data: z.object({
    ...ofDevice,
    by: z
      .enum(['app', 'person'])
      .default('app')
      .describe('`app`: the app unregistered. `person`: a person deleted the device in the management API.'),
  }),
  key: (data) => data.deviceId,
});

export const PushSent = publicEvent('PushSent', {
  description:
    'A provider accepted a push for a device. Providers do not report whether the device received or showed it.',
  topic: 'push.sent',
  data: z.object({
    ...ofDelivery,
    logged: z
      .boolean()
      .describe('True when it went to no provider: the app has no credentials for it, and the push was logged.'),
    platform: orNull(Platform).describe('The platform of the device. Null in events of older versions.'),
  }),
  key: (data) => data.deviceId,
});

export const PushFailed = publicEvent('PushFailed', {
  description: 'A push to a device failed, or its result is unknown.',
  topic: 'push.failed',
  data: z.object({
    ...ofDelivery,
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

export const PushOpened = publicEvent('PushOpened', {
  description:
    'A person opened a push. Sent once for a notification and a registered device. A report without a token, or with one that nobody registered, is no event.',
  topic: 'push.opened',
  data: z.object({
    notificationId: text(200).describe('The id of the notification, as sent by the app.'),
    known: z.boolean().describe('True when the app has this notification here.'),
    ...ofApp,
    deviceId: deviceId
      .nullable()
      .describe('The installed app. Null in events of older versions, for an app that sent no token or is not known.'),
    platform: orNull(Platform).describe('The platform of the device. Null: unknown.'),
    country: country(),
    appVersion: appVersion(),
  }),
  key: (data, id) => data.deviceId ?? id,
});

export const PushTokenDropped = publicEvent('PushTokenDropped', {
  description:
    'A provider reported that a token is no longer valid: nothing is sent to it until the app registers it again.',
  topic: 'push.dropped',
  data: z.object({
    deviceId,
    ...ofApp,
    kind,
    reason: text(200).describe("The provider's code for it."),
  }),
  key: (data) => data.deviceId,
});
