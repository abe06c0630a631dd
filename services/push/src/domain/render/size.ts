// Computes the size of a push for each provider before it is sent to anybody.
import type { Platform, PushKind, PushMessage } from '@landfall/contracts';
import { apnsPayload } from './render-apns.ts';
import { type Rendered, renderData } from './render-data.ts';
import { type Variant, type VariantOf, variantOf, variantsOf } from './variant.ts';

/** Both take 4 KB. */
export const SIZE_LIMIT = 4_096;

/** Longer than tokens are: FCM's have 140 to 200 characters, Apple's 64, and up to 200 are announced. */
const LONGEST_TOKEN: Record<PushKind, number> = { fcm: 256, apns: 200 };
const ID_LENGTH = 36;
/** The keys that FCM adds for iPhones: `gcm.message_id`, `google.c.sender.id`, `google.c.fid`, `google.c.a.e`. */
const FCM_ADDS = 160;

/** A message for one provider, platform and language, and its size in bytes. */
export interface Size extends VariantOf {
  readonly kind: PushKind;
  readonly bytes: number;
  readonly limit: number;
}

/** For the longest token that is likely, so that who sends learns it before anything is stored. The largest first. */
export const sizeOf = (message: PushMessage): Size[] =>
  variantsOf(message)
    .flatMap((of) => kindsOn[of.platform].map((kind) => ({ kind, ...of, bytes: bytesFor(kind, message, of) })))
    .map((size) => ({ ...size, limit: SIZE_LIMIT }))
    .sort((a, b) => b.bytes - a.bytes);

/** The provider of a platform. */
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

/** By a variant, which is one of a message, platform and language. */
const fitting = { fcm: new WeakMap<Variant, boolean>(), apns: new WeakMap<Variant, boolean>() };

/** Returns whether a provider would take it. Counted once for a variant, unless the token is longer than any other. */
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
 * Of APNs the payload as it is sent. Of FCM what it counts (notification and data; as JSON, which is never less), and for
 * iPhones what it makes of them, if that is more.
 */
export function bytesOf(kind: PushKind, push: Rendered): number {
  if (kind === 'apns') return jsonBytes(apnsPayload(push));
  const { title, body, imageUrl, channelId, silent } = variantOf(push.message, push.platform, push.language);
  const shown = { title, body, image: imageUrl ?? undefined, channel_id: channelId ?? undefined };
  const counted = jsonBytes({ ...(silent ? {} : { notification: shown }), data: renderData(push) });
  return push.platform === 'android' ? counted : Math.max(counted, jsonBytes(apnsPayload(push)) + FCM_ADDS);
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
