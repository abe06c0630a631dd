// Parses languages as BCP 47 tags, each in one spelling.
import { LANGUAGE_LENGTH } from '@landfall/contracts';

/** Returns the normal spelling: `de-at` becomes `de-AT`. Null for an invalid tag. */
export function languageTag(given: string): string | null {
  try {
    const [tag = null] = Intl.getCanonicalLocales(given);
    return tag === null || tag.length > LANGUAGE_LENGTH ? null : tag;
  } catch {
    return null;
  }
}

/**
 * Parses the language of an app, also in the spelling of operating systems (`de_AT.UTF-8`). Null when it names no
 * language. Then the device gets the default texts.
 */
export const readLanguage = (given: string): string | null =>
  languageTag(given.replace(/[.@].*$/s, '').replaceAll('_', '-'));

/** Returns the language without its region: `de` for `de-AT`. Each language has one code. Null for an invalid tag. */
export const baseLanguage = (given: string): string | null => languageTag(given)?.split('-')[0] ?? null;
