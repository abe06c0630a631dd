// The time in which a push is worth delivering.

/** The minimum number of seconds that a push may wait here until it is sent, even if the caller asks for less. */
export const LEAST_TTL_SECONDS = 10;
