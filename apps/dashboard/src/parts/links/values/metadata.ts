// The metadata of a link as keys and values that a person edits, one by one.

export const SOCIAL = ['og_title', 'og_description', 'og_image'] as const;

/** `json`: the value itself, when it is no text. A person edits such a value as JSON. */
export interface Pair {
  key: string;
  text: string;
  json?: unknown;
}

export type Metadata = Readonly<Record<string, unknown>>;

export const pairsOf = (metadata: Metadata): Pair[] =>
  Object.entries(metadata).map(([key, value]) =>
    typeof value === 'string' ? { key, text: value } : { key, text: JSON.stringify(value), json: value },
  );

export const isText = (pair: Pair): boolean => !('json' in pair);

export const textOf = (pairs: readonly Pair[], key: string): string =>
  pairs.find((pair) => pair.key === key && isText(pair))?.text ?? '';

/** Enters the text of a key. It stays where it is, or becomes the last one. */
export function withText(pairs: readonly Pair[], key: string, text: string): Pair[] {
  if (pairs.some((pair) => pair.key === key)) return pairs.map((pair) => (pair.key === key ? { key, text } : pair));
  return [...pairs, { key, text }];
}

/**
 * Returns the metadata that the pairs are. A text that was entered has no spaces at its ends, and an empty one is no
 * key. What was not edited stays as it is.
 * @param before the metadata before the edit
 */
export function metadataOf(pairs: readonly Pair[], before: Metadata = {}): Record<string, unknown> {
  const entries = pairs.flatMap((pair): [string, unknown][] => {
    const key = pair.key.trim();
    if (!isText(pair)) return [[key, pair.json]];
    const text = before[key] === pair.text ? pair.text : pair.text.trim();
    return key !== '' && (text !== '' || before[key] === '') ? [[key, text]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns a key that has two values, or a value that has no key as `''`. Null: nothing is wrong. */
export function wrongKey(pairs: readonly Pair[]): string | null {
  const keys = pairs.filter(({ text }) => text.trim() !== '').map(({ key }) => key.trim());
  return keys.find((key, place) => key === '' || keys.indexOf(key) !== place) ?? null;
}

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]{2,}/;
const OF_PERSON =
  /^(?:e?mail|phone|tel|mobile|user|user_?name|full_?name|birth.*|address|(?:user|customer|account|member|person)_?(?:id|email))$/i;

/** Returns the first key whose value may tell who somebody is. Everyone who has an address of a link reads its metadata. */
export const personalKey = (pairs: readonly Pair[]): string | null =>
  pairs.find(({ key, text }) => text.trim() !== '' && (EMAIL.test(text) || OF_PERSON.test(key.trim())))?.key ?? null;
