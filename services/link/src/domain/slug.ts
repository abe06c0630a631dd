// Slugs: when the link was asked for, and a part that nobody can guess.

/** Spec 2.3: `{timestamp}-{random}`, the timestamp in milliseconds. A link's `createdAt` is the same time. */
export const slugOf = (now: Date, random: string): string => `${now.getTime()}-${random}`;

/** Milliseconds have 13 digits from 2001 to 2286. */
const DIGITS = 13;

/**
 * When the links were made whose slug begins so: from `from` on and before `before`. Null: no slug does. This is what makes a
 * search for slugs a walk through the list by time, without an index of its own.
 */
export function madeWithin(slugBeginning: string): { from: Date; before: Date } | null {
  const [, digits, random] = /^(\d*)(-[a-z0-9]*)?$/.exec(slugBeginning) ?? [];
  if (!digits || digits.length > DIGITS || (random !== undefined && digits.length < DIGITS)) return null;
  const from = Number(digits.padEnd(DIGITS, '0'));
  return { from: new Date(from), before: new Date(from + 10 ** (DIGITS - digits.length)) };
}
