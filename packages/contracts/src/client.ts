// Facts about a client that travel with its events, so that their readers need no other source. None of them identifies
// a person.
import { z } from 'zod';
import { cutText } from './cut-text.ts';
import { orNull, shortHash, text } from './fields.ts';

/** The limits of a label's key and of its value, in UTF-16 code units. A longer value is cut. */
export const LABEL_KEY_LENGTH = 50;
export const LABEL_LENGTH = 200;

/** Metadata keys that an app names as labels. */
export const labelKeys = () =>
  z.array(z.string().regex(/^[\w.~-]{1,50}$/, 'must be 1 to 50 letters, digits, `_`, `.`, `~` or `-`')).max(10);

export const labels = () =>
  z
    .record(text(LABEL_KEY_LENGTH), text(LABEL_LENGTH))
    .default({})
    .describe(
      'The labels of the link: the values of the metadata keys that the app names as labels (`labels` of its settings).',
    );

export const Platform = z.enum(['ios', 'android']);
export type Platform = z.output<typeof Platform>;

/** The model of a phone. Matching only compares it, so it is a keyed hash. */
export const model = () =>
  orNull(shortHash()).describe(
    'A keyed hash of the model of an Android phone, equal for equal models. Null: not known.',
  );

/** A fingerprint of the public client. Phones of one model and build share it, so matching compares it with taps. */
export const build = () => shortHash();

/** Returns the first number of a version such as `14` or `14.1`. Null when there is none. */
export function majorOf(version: string): number | null {
  const [digits] = /^\d{1,3}/.exec(version.trim()) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Facts of a phone that a client may tell, so that matching can compare them with a tap. They identify no person. */
export const phone = {
  model: model(),
  /** The major version of Android. */
  osMajor: orNull(z.int().min(0).max(999)),
  /** The first language without its region, as in BCP 47, e.g. `de`. It is recorded with a decision and decides nothing. */
  language: orNull(text(20)),
};

export const country = () =>
  orNull(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters')).describe(
    'The country of the address of the request, as two letters (ISO 3166-1). Null: unknown.',
  );

export const APP_VERSION_LENGTH = 50;

export const appVersion = () =>
  orNull(text(APP_VERSION_LENGTH)).describe(
    "The version of the app, as sent in the header `X-App-Version`. Null: the client doesn't send it.",
  );

export const CLIENT_LENGTH = 60;

/** The name of a client, and its version if the client tells it. */
export const clientName = () => text(CLIENT_LENGTH).min(1);

const came = (field: string) => z.boolean().default(false).describe(`Whether it had ${field}.`);

/** The evidence of a restore: whether each field came, and no value. */
export const SentEvidence = z.object({
  installedSecondsAgo: came('`installedSecondsAgo`'),
  installReferrer: came('`installReferrer`'),
  clipboard: came('`clipboard`'),
  model: came('`model`'),
  osVersion: came('`osVersion`'),
  language: came('`language`'),
  addressToken: came('`addressToken`'),
  user: came('`userEmail` or `identityToken`'),
});
export type SentEvidence = z.output<typeof SentEvidence>;

/** The parts of `utm_*` that analytics counts. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmName = (typeof utmNames)[number];
export const UTM_LENGTH = 200;

/** Metadata may hold NUL, halves of characters and nested values. Labels may not. */
export function labelsOf(
  metadata: { readonly [key: string]: unknown },
  keys: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const key of keys) {
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const text = cutText(String(value).replaceAll('\0', ''), LABEL_LENGTH);
    if (text !== '') found[key] = text;
  }
  return found;
}
