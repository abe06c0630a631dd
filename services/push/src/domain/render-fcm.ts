// A push as Firebase takes it: for Android, and for iPhones that have a token of Firebase's.
import type { TokenMessage } from 'firebase-admin/messaging';
import { expiryOf, type Rendered, renderData, replaces } from './render-data.ts';

/** FCM keeps nothing longer. */
const LONGEST_TTL_MS = 28 * 86_400_000;

export function renderFcm(push: Rendered, now: Date): TokenMessage {
  const { title, body, imageUrl, sound, badge, collapseKey } = push.message;
  const image = imageUrl === null ? {} : { imageUrl };
  return {
    token: push.token,
    notification: { title, body, ...image },
    data: renderData(push),
    android: {
      priority: 'high',
      ttl: Math.min(Math.max(push.expiresAt.getTime() - now.getTime(), 0), LONGEST_TTL_MS),
      // FCM keeps messages of four keys for a device that is away: only what the caller wants replaced has one.
      ...(collapseKey === null ? {} : { collapseKey }),
      notification: {
        tag: replaces(push),
        ...(sound === null ? {} : { sound }),
        // Android has no way to take it away.
        ...(badge ? { notificationCount: badge } : {}),
      },
    },
    apns: {
      headers: {
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-expiration': String(expiryOf(push, now)),
        'apns-collapse-id': replaces(push),
      },
      payload: {
        aps: {
          ...(sound === null ? {} : { sound }),
          ...(badge === null ? {} : { badge }),
          // The app's extension fetches the image.
          ...(imageUrl === null ? {} : { mutableContent: true }),
        },
      },
      ...(imageUrl === null ? {} : { fcmOptions: { imageUrl } }),
    },
  };
}
