// Days without use after which a session ends.

const DAY_MS = 86_400_000;
/** Days after which a session ends, even with constant use. */
const IDLE_DAYS = 14;
/** The longest lifetime, even with constant use. */
const MOST_DAYS = 90;

export const endsAt = (made: Date): Date => new Date(made.getTime() + MOST_DAYS * DAY_MS);

export const idleUntil = (lastSeen: Date): Date => new Date(lastSeen.getTime() + IDLE_DAYS * DAY_MS);

/** Returns the earliest last use of a live session. A session with an earlier last use has ended. */
export const liveSince = (now: Date): Date => new Date(now.getTime() - IDLE_DAYS * DAY_MS);
