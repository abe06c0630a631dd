// Keys of the metadata that have a field of their own in the form: the labels of the app, and the texts of the preview
// in messages and feeds. The rest of the metadata stays JSON.

export const SOCIAL = ['og_title', 'og_description', 'og_image'] as const;

type Metadata = Readonly<Record<string, unknown>>;

/** Takes the texts of the keys out of the metadata. A value that is no text stays where it is. */
export function takeFields(metadata: Metadata, keys: readonly string[]) {
  const isField = ([key, value]: [string, unknown]): boolean => keys.includes(key) && typeof value === 'string';
  const entries = Object.entries(metadata);
  return {
    fields: Object.fromEntries(entries.filter(isField)) as Record<string, string>,
    rest: Object.fromEntries(entries.filter((entry) => !isField(entry))),
  };
}

/** Returns the metadata with the entered texts. An emptied field is no key. The others keep values and places. */
export function withFields(before: Metadata, rest: Metadata, entered: Readonly<Record<string, string>>): Metadata {
  const texts = Object.entries(entered)
    .map(([key, text]) => [key, text === before[key] ? text : text.trim()] as const)
    .filter(([key, text]) => text !== '' || before[key] === '');
  const all: Metadata = { ...rest, ...Object.fromEntries(texts) };
  const keys = [...Object.keys(before), ...Object.keys(all)].filter((key) => Object.hasOwn(all, key));
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}
