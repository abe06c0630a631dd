// Slugs: the time of the request, and a part that cannot be guessed.

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
