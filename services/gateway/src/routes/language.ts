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
 * The language of an app, also as operating systems spell it (`de_AT.UTF-8`). Null when it is not a language: the
 * device gets the default texts.
 */
export const readLanguage = (given: string): string | null =>
  languageTag(given.replace(/[.@].*$/s, '').replaceAll('_', '-'));
