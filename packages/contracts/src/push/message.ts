// What a push says, for every provider, platform and language at once.
import { z } from 'zod';
import { destination, text } from '../fields.ts';

/** What APNs and FCM take for one that replaces another, in bytes. */
export const COLLAPSE_KEY_BYTES = 64;
/** A title, in characters. */
export const TITLE_LENGTH = 500;
/** A body, in characters. */
export const BODY_LENGTH = 3_000;
/** Languages that one push may have its texts in. */
export const MOST_LANGUAGES = 100;
/** RFC 5646 asks for room for 35 characters at least. */
export const LANGUAGE_LENGTH = 35;

const scalar = z.union([text(2_048), z.number(), z.boolean()]);

export const PushPriority = z.enum(['high', 'normal']);
export type PushPriority = z.output<typeof PushPriority>;

/** How an iPhone shows it. `critical` needs an entitlement of Apple's. */
export const InterruptionLevel = z.enum(['passive', 'active', 'time-sensitive', 'critical']);
export type InterruptionLevel = z.output<typeof InterruptionLevel>;

/** What a platform or a language has texts of its own for. What is left out is the message's. */
export const PushTexts = z.object({
  title: text(TITLE_LENGTH).min(1).optional(),
  body: text(BODY_LENGTH).optional(),
});
export type PushTexts = z.output<typeof PushTexts>;

const forPlatform = {
  ...PushTexts.shape,
  imageUrl: text(2_048).optional(),
  sound: text(100).min(1).optional(),
  badge: z.int().min(0).max(99_999).optional(),
  priority: PushPriority.optional(),
};

/** Instead of what the message says, on iPhones. */
export const PushForIos = z.object({
  ...forPlatform,
  category: text(100).min(1).optional(),
  mutableContent: z.boolean().optional(),
  interruptionLevel: InterruptionLevel.optional(),
});
export type PushForIos = z.output<typeof PushForIos>;

/** Instead of what the message says, on Android. */
export const PushForAndroid = z.object({ ...forPlatform, channelId: text(200).min(1).optional() });
export type PushForAndroid = z.output<typeof PushForAndroid>;

const fields = {
  /** Empty only where it is silent. */
  title: text(TITLE_LENGTH),
  body: text(BODY_LENGTH),
  /** Where the app leads who opens it, with its query. Null: the public SDK then opens `/`. */
  destinationPath: destination().nullable(),
  /** Flat: a value is a string, a number or a boolean. */
  metadata: z.record(text(100), scalar),
  imageUrl: text(2_048).nullable(),
  /** The name of a sound in the app, or `default`. Null: without a sound. */
  sound: text(100).nullable(),
  /** The number on the app's icon; 0 takes it away. Null: it stays as it is. */
  badge: z.int().min(0).max(99_999).nullable(),
  /** Of several with one key a device shows the last. */
  collapseKey: text(COLLAPSE_KEY_BYTES).nullable(),
};

const laterFields = {
  /** Null: `high`, or `normal` where it is silent. */
  priority: PushPriority.nullable(),
  /** The app gets its data, and nothing is shown. */
  silent: z.boolean(),
  /** Which buttons an iPhone shows with it. */
  category: text(100).nullable(),
  /** Whether an iPhone lets the app's extension change it first. Null: where it has an image. */
  mutableContent: z.boolean().nullable(),
  ios: PushForIos.nullable(),
  android: PushForAndroid.nullable(),
  /** Texts by language (BCP 47, canonical). */
  localized: z.record(text(LANGUAGE_LENGTH), PushTexts),
};

/** What each field is when nothing is said, and in messages that were stored before the field was there. */
export const plainPush = {
  priority: null,
  silent: false,
  category: null,
  mutableContent: null,
  ios: null,
  android: null,
  localized: {},
} as const satisfies { [field in keyof typeof laterFields]: unknown };

/** One message for every provider. */
export const PushMessage = z.object({
  ...fields,
  priority: laterFields.priority.default(plainPush.priority),
  silent: laterFields.silent.default(plainPush.silent),
  category: laterFields.category.default(plainPush.category),
  mutableContent: laterFields.mutableContent.default(plainPush.mutableContent),
  ios: laterFields.ios.default(plainPush.ios),
  android: laterFields.android.default(plainPush.android),
  localized: laterFields.localized.default(plainPush.localized),
});
export type PushMessage = z.output<typeof PushMessage>;

/** What is to be another; the rest stays as it is. */
export const PushMessageChange = z.object({ ...fields, ...laterFields }).partial();
export type PushMessageChange = z.output<typeof PushMessageChange>;
