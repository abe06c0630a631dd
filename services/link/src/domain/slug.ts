// Slugs: the time of the request and a part that cannot be guessed, or one that somebody chose.

/** Spec 2.3: `{timestamp}-{random}`, in milliseconds. The `createdAt` of the link is the same time. */
export const slugOf = (now: Date, random: string): string => `${now.getTime()}-${random}`;

/** Milliseconds have 13 digits from 2001 to 2286. */
const DIGITS = 13;

/**
 * Returns when the links whose slug begins with this text were created: from `from` on and before `before`. Null when
 * no slug begins so. With these bounds, a search for slugs walks through the list by time and needs no index of its
 * own.
 */
export function madeWithin(slugBeginning: string): { from: Date; before: Date } | null {
  const [, digits, random] = /^(\d*)(-[a-z0-9]*)?$/.exec(slugBeginning) ?? [];
  if (!digits || digits.length > DIGITS || (random !== undefined && digits.length < DIGITS)) return null;
  const from = Number(digits.padEnd(DIGITS, '0'));
  return { from: new Date(from), before: new Date(from + 10 ** (DIGITS - digits.length)) };
}

const MAX_CHOSEN = 64;
/** The highest number of {@link likeSlug}. */
const MOST = 99;
/** How many free slugs a refusal suggests. */
export const SUGGESTIONS = 3;

/** Returns slugs that are like a taken one, the best first: `sale-2`, `sale-3` and so on. */
export const likeSlug = (slug: string): string[] =>
  Array.from({ length: MOST - 1 }, (_, i) => {
    const ending = `-${i + 2}`;
    return slug.slice(0, MAX_CHOSEN - ending.length) + ending;
  });
