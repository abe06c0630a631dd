// The lifetime of a session.

const DAY_MS = 86_400_000;
/** Without being used. */
const IDLE_DAYS = 14;
/** The longest lifetime, even with constant use. */
const MOST_DAYS = 90;

export const endsAt = (made: Date): Date => new Date(made.getTime() + MOST_DAYS * DAY_MS);

export const idleUntil = (lastSeen: Date): Date => new Date(lastSeen.getTime() + IDLE_DAYS * DAY_MS);

/** A session that was last used before is over. */
export const liveSince = (now: Date): Date => new Date(now.getTime() - IDLE_DAYS * DAY_MS);
