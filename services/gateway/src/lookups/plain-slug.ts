// Finds the slug in what people and their programs send. Slugs are digits, a hyphen, and small letters and digits, so
// nothing else can be part of one.

/** Longer texts are no slug. */
const MAX_LENGTH = 300;
/** A slug between characters that are neither letters nor digits: `.`, `)`, a quote, a space without width. */
const SLUG = /^[^\p{L}\p{N}]*(\d{1,16}-[a-z\d]{1,80})[^\p{L}\p{N}]*$/iu;

/** Returns the slug of a link, or the text unchanged when no link can have it. */
export function plainSlug(given: string): string {
  if (given.length > MAX_LENGTH) return given;
  return SLUG.exec(decoded(given))?.[1]?.toLowerCase() ?? given;
}

/** The service never makes longer slugs, so they are not looked up. */
const MAX_SLUG = 100;

/** Returns the slug to look up. Null when no link can have it: a slash parts the key of caches, and no text has a NUL. */
export function slugToFind(given: string): string | null {
  const slug = plainSlug(given);
  return slug.length > MAX_SLUG || /[/\0]/.test(slug) ? null : slug;
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
