// The variant of a message for one device, by platform and language. Each variant is made once, for any number of
// devices.
import type {
  InterruptionLevel,
  Platform,
  PushForAndroid,
  PushForIos,
  PushMessage,
  PushPriority,
  PushTexts,
} from '@landfall/contracts';

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

/**
 * The devices that a variant is for. `language` is one of the languages that the message has texts in; null: none of
 * them.
 */
export interface VariantOf {
  readonly platform: Platform;
  readonly language: string | null;
}

const known = new WeakMap<PushMessage, Map<string, Variant>>();

/** @param language the language of the device, BCP 47, in canonical form */
export function variantOf(message: PushMessage, platform: Platform, language: string | null): Variant {
  const best = language === null ? null : bestLanguage(message, language);
  let variants = known.get(message);
  if (!variants) {
    variants = new Map();
    known.set(message, variants);
  }
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

/** Returns the most specific language that the message has texts in: `de-AT`, then `de` (RFC 4647, 3.4). */
function bestLanguage({ localized }: PushMessage, language: string): string | null {
  for (let tag: string | null = language; tag !== null; tag = lessSpecial(tag))
    if (Object.hasOwn(localized, tag)) return tag;
  return null;
}

/** Returns the tag without its last part. If a single letter is then at the end, removes that letter, too. */
function lessSpecial(tag: string): string | null {
  const at = tag.lastIndexOf('-');
  if (at < 0) return null;
  const left = tag.slice(0, at);
  return left.at(-2) === '-' ? left.slice(0, -2) : left;
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

/** Returns a text in the language. If the language has only a title, the body comes from the more general language. */
function textOf({ localized }: PushMessage, language: string | null, text: keyof PushTexts): string | undefined {
  for (let tag = language; tag !== null; tag = lessSpecial(tag)) {
    const found = Object.hasOwn(localized, tag) ? localized[tag]![text] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
