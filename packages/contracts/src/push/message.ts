// The content of a push. One content is for every provider, platform and language.
import { z } from 'zod';
import { changeOf, destination, text } from '../fields.ts';

/** The limit of APNs for a collapse key, in bytes. */
export const COLLAPSE_KEY_BYTES = 64;
/** The limits of the texts, in characters. */
export const TITLE_LENGTH = 500;
export const BODY_LENGTH = 3_000;
export const MOST_LANGUAGES = 100;
/** The limit of a language tag, in characters. RFC 5646 requires room for at least 35 characters. */
export const LANGUAGE_LENGTH = 35;

export const PushPriority = z.enum(['high', 'normal']);
export type PushPriority = z.output<typeof PushPriority>;

/** The interruption level on an iPhone. `critical` needs an entitlement from Apple. */
export const InterruptionLevel = z.enum(['passive', 'active', 'time-sensitive', 'critical']);
export type InterruptionLevel = z.output<typeof InterruptionLevel>;

/** Texts for one platform or language. The text of the message replaces an omitted text. */
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

/** Replaces fields of the message on iPhones. */
export const PushForIos = z.object({
  ...forPlatform,
  category: text(100).min(1).optional(),
  mutableContent: z.boolean().optional(),
  interruptionLevel: InterruptionLevel.optional(),
});
export type PushForIos = z.output<typeof PushForIos>;

export const PushForAndroid = z.object({ ...forPlatform, channelId: text(200).min(1).optional() });
export type PushForAndroid = z.output<typeof PushForAndroid>;

/** The defaults of the later fields. They also apply to messages that were stored before a field existed. */
export const plainPush = {
  priority: null,
  silent: false,
  category: null,
  mutableContent: null,
  ios: null,
  android: null,
  localized: {},
  test: false,
} as const;

export const PushMessage = z.object({
  /** Both texts are empty only for a silent push. */
  title: text(TITLE_LENGTH),
  body: text(BODY_LENGTH),
  /** The path that the app opens, with its query. Null: the public SDK opens `/`. */
  destinationPath: destination().nullable(),
  /** A flat object: each value is a string, a number or a boolean. */
  metadata: z.record(text(100), z.union([text(2_048), z.number(), z.boolean()])),
  imageUrl: text(2_048).nullable(),
  /** The name of a sound in the app, or `default`. Null: no sound. */
  sound: text(100).nullable(),
  /** The number on the app's icon. 0 removes the number. Null: the number does not change. */
  badge: z.int().min(0).max(99_999).nullable(),
  /** A device shows only the last of several pushes with the same key. */
  collapseKey: text(COLLAPSE_KEY_BYTES).nullable(),
  /** Null: `high`. For a silent push, null means `normal`. */
  priority: PushPriority.nullable().default(plainPush.priority),
  /** True when the app gets the data and the device shows nothing. */
  silent: z.boolean().default(plainPush.silent),
  /** The category of the push. An iPhone shows the buttons of this category with the push. */
  category: text(100).nullable().default(plainPush.category),
  /** True when the extension of the app may change it on an iPhone before it is shown. Null: true with an image. */
  mutableContent: z.boolean().nullable().default(plainPush.mutableContent),
  ios: PushForIos.nullable().default(plainPush.ios),
  android: PushForAndroid.nullable().default(plainPush.android),
  /** Texts by language (BCP 47, canonical). */
  localized: z.record(text(LANGUAGE_LENGTH), PushTexts).default(plainPush.localized),
  /** True for a try before the push itself. Lists mark it. Devices do not see it. */
  test: z.boolean().default(plainPush.test),
});
export type PushMessage = z.output<typeof PushMessage>;

export const PushMessageChange = changeOf(PushMessage);
export type PushMessageChange = z.output<typeof PushMessageChange>;
