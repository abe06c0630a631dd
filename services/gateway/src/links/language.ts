// Parses languages as BCP 47 tags, each in one spelling.
import { LANGUAGE_LENGTH } from '@landfall/contracts';

/** Returns the normal spelling: `de-at` becomes `de-AT`. Null for an invalid tag, and for one that names no language. */
export function languageTag(given: string): string | null {
  try {
    const [tag = null] = Intl.getCanonicalLocales(given);
    // `und`: undetermined. Languages with more than three letters are reserved: `posix` is a word.
    return tag !== null && tag.length <= LANGUAGE_LENGTH && /^(?!und\b)[a-z]{2,3}\b/.test(tag) ? tag : null;
  } catch {
    return null;
  }
}

/** The scripts that POSIX names after `@`: `sr_RS@latin`. */
const POSIX_SCRIPTS: Record<string, string> = { latin: 'Latn', cyrillic: 'Cyrl', devanagari: 'Deva' };

/**
 * Parses the language of an app, also in the spelling of operating systems: `de_AT.UTF-8`, `zh_Hant_HK`, `sr_RS_#Latn`
 * (Java). Null when it names no language. Then the device gets the default texts.
 */
export function readLanguage(given: string): string | null {
  const [name = '', modifier = ''] = given.trim().slice(0, MOST).split('@', 2);
  const parts = name.replace(/\..*$/s, '').split(/[-_#]+/);
  const tag = modifier === '' ? languageTag(parts.join('-')) : null;
  if (tag !== null) return tag;
  // Java puts the script last, and variants of systems are not in BCP 47. Language, script and region are enough.
  const singleton = parts.findIndex((part, at) => at > 0 && part.length === 1);
  const [language = '', ...rest] = singleton < 0 ? parts : parts.slice(0, singleton);
  const script = POSIX_SCRIPTS[modifier] ?? rest.find((part) => /^[a-z]{4}$/i.test(part));
  const region = rest.find((part) => /^(?:[a-z]{2}|\d{3})$/i.test(part));
  return languageTag([language, script, region].filter(Boolean).join('-'));
}

/** The beginning that is read, in characters. */
const MOST = 100;

/** Returns the language without its region: `de` for `de-AT`. Each language has one code. Null for an invalid tag. */
export const baseLanguage = (given: string): string | null => languageTag(given)?.split('-')[0] ?? null;
