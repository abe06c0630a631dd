// The variant of a message for a platform and a language. Each variant is made once, for any number of devices.
import type {
  InterruptionLevel,
  Platform,
  PushForAndroid,
  PushForIos,
  PushMessage,
  PushPriority,
  PushTexts,
} from '@landfall/contracts';
import { type Language, nearest, readLanguage } from './language.ts';

export interface Variant {
  readonly title: string;
  readonly body: string;
  readonly imageUrl: string | null;
  readonly sound: string | null;
  readonly badge: number | null;
  readonly priority: PushPriority;
  /** Nothing is shown. The fields above have no meaning then, except for the priority. */
  readonly silent: boolean;
  /** For iPhones only. */
  readonly category: string | null;
  readonly mutableContent: boolean;
  readonly interruptionLevel: InterruptionLevel | null;
  /** For Android only. */
  readonly channelId: string | null;
}

/** The devices that a variant is for. `language`: one that the message has texts in; null: none of them. */
export interface VariantOf {
  readonly platform: Platform;
  readonly language: string | null;
}

interface Known {
  readonly languages: readonly Language[];
  /** The best language for each language of a device. */
  readonly best: Map<string, string | null>;
  readonly variants: Map<string, Variant>;
}

const known = new WeakMap<PushMessage, Known>();

function knownOf(message: PushMessage): Known {
  let all = known.get(message);
  if (!all) {
    const languages = Object.keys(message.localized).flatMap((tag) => readLanguage(tag) ?? []);
    all = { languages, best: new Map(), variants: new Map() };
    known.set(message, all);
  }
  return all;
}

/** @param language the language of the device, BCP 47, in canonical form */
export function variantOf(message: PushMessage, platform: Platform, language: string | null): Variant {
  const { variants } = knownOf(message);
  const best = language === null ? null : bestLanguage(message, language);
  const key = best === null ? platform : `${platform} ${best}`;
  let variant = variants.get(key);
  if (!variant) {
    variant = makeVariant(message, platform, best);
    variants.set(key, variant);
  }
  return variant;
}

/** Returns all variants of a message. Every device is shown one of them. */
export const variantsOf = (message: PushMessage): VariantOf[] =>
  (['ios', 'android'] as const).flatMap((platform) =>
    [null, ...Object.keys(message.localized)].map((language) => ({ platform, language })),
  );

function bestLanguage(message: PushMessage, language: string): string | null {
  const { best } = knownOf(message);
  let found = best.get(language);
  if (found === undefined) {
    [found = null] = languagesFor(message, language);
    best.set(language, found);
  }
  return found;
}

/** Returns the languages of the message for a device, the best first. */
function languagesFor(message: PushMessage, language: string): string[] {
  const reader = readLanguage(language);
  return reader ? nearest(knownOf(message).languages, reader) : [];
}

function makeVariant(message: PushMessage, platform: Platform, language: string | null): Variant {
  const ios: PushForIos = (platform === 'ios' && message.ios) || {};
  const android: PushForAndroid = (platform === 'android' && message.android) || {};
  const own = platform === 'ios' ? ios : android;
  const imageUrl = own.imageUrl ?? message.imageUrl;
  return {
    title: textOf(message, language, 'title') ?? own.title ?? message.title,
    body: textOf(message, language, 'body') ?? own.body ?? message.body,
    imageUrl,
    sound: own.sound ?? message.sound,
    badge: own.badge ?? message.badge,
    priority: own.priority ?? message.priority ?? (message.silent ? 'normal' : 'high'),
    silent: message.silent,
    category: ios.category ?? message.category,
    // With an image, the app's extension must run to fetch the image.
    mutableContent: ios.mutableContent ?? message.mutableContent ?? imageUrl !== null,
    interruptionLevel: ios.interruptionLevel ?? null,
    channelId: android.channelId ?? null,
  };
}

/** Returns a text in the language. If the language has only a title, the body comes from the next best language. */
function textOf(message: PushMessage, language: string | null, text: keyof PushTexts): string | undefined {
  if (language === null) return undefined;
  return languagesFor(message, language)
    .map((tag) => message.localized[tag]![text])
    .find((found) => found !== undefined);
}
