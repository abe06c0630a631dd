import type { Platform, PushKind, PushMessage, RefusalOf, SendPush } from '@landfall/contracts';
import { alertOf, apnsPayload } from './render-apns.ts';
import { type Rendered, renderData } from './render-data.ts';
import { type Variant, type VariantOf, variantOf, variantsOf } from './variant.ts';

/** The limit in bytes. Both providers accept 4 KB. */
export const SIZE_LIMIT = 4_096;

/** Characters, more than tokens have: 140 to 200 at FCM. At Apple they have 64, and Apple announces up to 200. */
const LONGEST_TOKEN: Record<PushKind, number> = { fcm: 256, apns: 200 };
const ID_LENGTH = 36;
/** Bytes of FCM's own keys for iPhones: `gcm.message_id`, `google.c.sender.id`, `google.c.fid`, `google.c.a.e`. */
const FCM_ADDS = 160;

/** The sizes in bytes with the longest likely token, the largest first. So they are known before anything is stored. */
export const sizeOf = (message: PushMessage) =>
  variantsOf(message)
    .flatMap((of) => kindsOn[of.platform].map((kind) => ({ kind, ...of, bytes: bytesFor(kind, message, of) })))
    .map((size) => ({ ...size, limit: SIZE_LIMIT }))
    .sort((a, b) => b.bytes - a.bytes);

type TooLarge = { refusal: Extract<RefusalOf<typeof SendPush>, { code: 'PUSH_TOO_LARGE' }> };

/** Refuses a message that is too large for one provider. All devices get a message, or no device gets it. */
export function tooLarge(message: PushMessage): TooLarge | null {
  const size = sizeOf(message).find(({ bytes, limit }) => bytes > limit);
  return size ? { refusal: { code: 'PUSH_TOO_LARGE', facts: { ...size } } } : null;
}

const kindsOn = { ios: ['fcm', 'apns'], android: ['fcm'] } as const satisfies Record<Platform, readonly PushKind[]>;

const bytesFor = (kind: PushKind, message: PushMessage, { platform, language }: VariantOf): number =>
  bytesOf(kind, {
    message,
    platform,
    language,
    notificationId: '0'.repeat(ID_LENGTH),
    token: '0'.repeat(LONGEST_TOKEN[kind]),
    expiresAt: new Date(0),
  });

/** Whether a variant fits, with the longest likely token. A variant belongs to one message, platform and language. */
const fitting = { fcm: new WeakMap<Variant, boolean>(), apns: new WeakMap<Variant, boolean>() };

/** Computes the size of the push itself only when its token is longer, or when the variant does not fit. */
export function fits(kind: PushKind, push: Rendered): boolean {
  const { message, token, language } = push;
  const platform = kind === 'apns' ? 'ios' : push.platform;
  const variant = variantOf(message, platform, language);
  let known = fitting[kind].get(variant);
  if (known === undefined) {
    known = bytesFor(kind, message, { platform, language }) <= SIZE_LIMIT;
    fitting[kind].set(variant, known);
  }
  return (known && token.length <= LONGEST_TOKEN[kind]) || bytesOf(kind, push) <= SIZE_LIMIT;
}

/**
 * Returns the size in bytes. For APNs: the payload as it is sent. For FCM: the notification and the data, which FCM
 * counts. They are measured as JSON, which is never smaller. For FCM on iPhones: the payload that FCM makes of them, if
 * it is larger.
 */
export function bytesOf(kind: PushKind, push: Rendered): number {
  if (kind === 'apns') return jsonBytes(apnsPayload(push));
  const variant = variantOf(push.message, push.platform, push.language);
  const { imageUrl, channelId, silent } = variant;
  const shown = { ...alertOf(variant), image: imageUrl ?? undefined, channel_id: channelId ?? undefined };
  const counted = jsonBytes({ ...(silent ? {} : { notification: shown }), data: renderData(push) });
  return push.platform === 'android' ? counted : Math.max(counted, jsonBytes(apnsPayload(push)) + FCM_ADDS);
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
