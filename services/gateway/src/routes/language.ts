// Languages by their BCP 47 tags, each in one spelling.
import { LANGUAGE_LENGTH } from '@landfall/contracts';

/** `de-at` becomes `de-AT`. Null for what is no tag. */
export function languageTag(given: string): string | null {
  try {
    const [tag = null] = Intl.getCanonicalLocales(given);
    return tag === null || tag.length > LANGUAGE_LENGTH ? null : tag;
  } catch {
    return null;
  }
}

/**
 * What an app says of its own language, also as operating systems spell it (`de_AT.UTF-8`). Null where it says nothing that is
 * a language: the device gets the texts that everybody gets.
 */
export const readLanguage = (given: string): string | null =>
  languageTag(given.replace(/[.@].*$/s, '').replaceAll('_', '-'));
