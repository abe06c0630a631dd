// The time in which a push is worth delivering.

/** The least time that it may wait here until it is sent, whatever the caller said. */
export const LEAST_TTL_SECONDS = 10;
