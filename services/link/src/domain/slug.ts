// Slugs: when the link was asked for, and a part that nobody can guess.

/** Spec 2.3: `{timestamp}-{random}`, the timestamp in milliseconds. */
export const slugOf = (now: Date, random: string): string => `${now.getTime()}-${random}`;
