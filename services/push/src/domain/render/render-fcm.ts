// A push in the format that Firebase accepts: for Android, and for iPhones that have a Firebase token.
import type { TokenMessage } from 'firebase-admin/messaging';
import { alertOf, applePriorityOf, apsOf, pushTypeOf } from './render-apns.ts';
import { collapseIdOf, expiryOf, type Rendered, renderData, replaces } from './render-data.ts';
import { variantOf } from './variant.ts';

/** The longest time that FCM keeps a message. */
const LONGEST_TTL_MS = 28 * 86_400_000;

export function renderFcm(push: Rendered, now: Date): TokenMessage {
  const { collapseKey } = push.message;
  const variant = variantOf(push.message, push.platform, push.language);
  const { imageUrl, sound, badge, channelId, priority, silent } = variant;
  const image = imageUrl === null ? {} : { imageUrl };
  return {
    token: push.token,
    // Without this field FCM shows nothing, and passes the data to the app.
    ...(silent ? {} : { notification: { ...alertOf(variant), ...image } }),
    data: renderData(push),
    android: {
      priority,
      ttl: Math.min(Math.max(push.expiresAt.getTime() - now.getTime(), 0), LONGEST_TTL_MS),
      // FCM keeps messages of at most four keys for an offline device. So only a key of the caller's is sent.
      ...(collapseKey === null ? {} : { collapseKey }),
      ...(silent
        ? {}
        : {
            notification: {
              tag: replaces(push),
              ...(channelId === null ? {} : { channelId }),
              ...(sound === null ? {} : { sound }),
              // Android cannot remove a badge, so a badge of 0 is left out.
              ...(badge ? { notificationCount: badge } : {}),
            },
          }),
    },
    apns: {
      headers: {
        'apns-push-type': pushTypeOf(variant),
        'apns-priority': String(applePriorityOf(variant)),
        'apns-expiration': String(expiryOf(push, now)),
        'apns-collapse-id': collapseIdOf(push),
      },
      payload: { aps: { ...apsOf(variant) } },
      ...(imageUrl === null || silent ? {} : { fcmOptions: { imageUrl } }),
    },
  };
}
