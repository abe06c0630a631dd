// How large a push is for each provider, known before it is sent to anybody.
import type { PushKind, PushMessage } from '@landfall/contracts';
import { apnsPayload } from './render-apns.ts';
import { type Rendered, renderData } from './render-data.ts';

/** Both take 4 KB. */
export const SIZE_LIMIT = 4_096;

/** Longer than tokens are: FCM's have 140 to 200 characters, Apple's 64, and up to 200 are announced. */
const LONGEST_TOKEN: Record<PushKind, number> = { fcm: 256, apns: 200 };
const ID_LENGTH = 36;
/** What FCM adds for iPhones: `gcm.message_id`, `google.c.sender.id`, `google.c.fid`, `google.c.a.e`. */
const FCM_ADDS = 160;

/** What a message becomes for a provider, and what that takes, in bytes. */
export interface Size {
  readonly kind: PushKind;
  readonly bytes: number;
  readonly limit: number;
}

/** For the longest token that is likely, so that who sends learns it before anything is stored. */
export const sizeOf = (message: PushMessage): Size[] =>
  (['fcm', 'apns'] as const).map((kind) => ({
    kind,
    bytes: bytesOf(kind, {
      message,
      notificationId: '0'.repeat(ID_LENGTH),
      token: '0'.repeat(LONGEST_TOKEN[kind]),
      expiresAt: new Date(0),
    }),
    limit: SIZE_LIMIT,
  }));

const fitting = new WeakMap<PushMessage, Record<PushKind, boolean>>();

/** Whether a provider would take it. Counted once for a message, unless it is for a token that is longer than any. */
export function fits(kind: PushKind, push: Rendered): boolean {
  const { message, token } = push;
  let known = fitting.get(message);
  if (!known) {
    const [fcm, apns] = sizeOf(message).map(({ bytes }) => bytes <= SIZE_LIMIT) as [boolean, boolean];
    known = { fcm, apns };
    fitting.set(message, known);
  }
  return (known[kind] && token.length <= LONGEST_TOKEN[kind]) || bytesOf(kind, push) <= SIZE_LIMIT;
}

/**
 * Of APNs the payload as it is sent. Of FCM the larger of what it counts (notification and data; as JSON, which is never
 * less) and of what it makes of them for iPhones.
 */
export function bytesOf(kind: PushKind, push: Rendered): number {
  const forApple = jsonBytes(apnsPayload(push));
  if (kind === 'apns') return forApple;
  const { title, body, imageUrl } = push.message;
  const counted = jsonBytes({ notification: { title, body, image: imageUrl ?? undefined }, data: renderData(push) });
  return Math.max(counted, forApple + FCM_ADDS);
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
