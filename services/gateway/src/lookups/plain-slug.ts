// Finds the slug in what people and their programs send. Slugs are letters, digits, hyphens and underscores, so nothing
// else can be part of one.

/** Longer texts are no slug. */
const MAX_LENGTH = 300;
/** A slug between characters that are neither letters nor digits: `.`, `)`, a quote, a space without width. */
const MADE = /^[^\p{L}\p{N}]*(\d{1,16}-[a-z\d]{1,80})[^\p{L}\p{N}]*$/iu;
/** The same for a slug that somebody chose. It may end with a hyphen. */
const CHOSEN = /^[^\p{L}\p{N}_%-]*([A-Za-z\d][\w-]{1,99})[^\p{L}\p{N}_-]*$/u;

/** Returns the slug of a link, or the text unchanged when no link can have it. Chosen slugs keep their capitals. */
export function plainSlug(given: string): string {
  if (given.length > MAX_LENGTH) return given;
  const text = decoded(given);
  return MADE.exec(text)?.[1]?.toLowerCase() ?? CHOSEN.exec(text)?.[1] ?? given;
}

/** True for a slug that somebody may have chosen. Nobody can guess one that Landfall made by itself. */
export function isGuessable(given: string): boolean {
  if (given.length > MAX_LENGTH) return false;
  const text = decoded(given);
  return !MADE.test(text) && CHOSEN.test(text);
}

/** The service never makes longer slugs, so they are not looked up. */
const MAX_SLUG = 100;

const NONE: readonly string[] = [];

/**
 * Returns the slugs to look up, one after the other: as given, then in small letters. None when no link can have it: a
 * slash parts the key of caches, and no text has a NUL.
 */
export function slugsToFind(given: string): readonly string[] {
  const slug = plainSlug(given);
  if (slug.length > MAX_SLUG || /[/\0]/.test(slug)) return NONE;
  const small = slug.toLowerCase();
  return small === slug ? [slug] : [slug, small];
}

/** Decodes a part of a path. A part that is not valid stays as it is. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
