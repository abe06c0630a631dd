// How long a push is worth delivering.

/** Whatever was said: so long it may wait here until it is sent. */
export const LEAST_TTL_SECONDS = 10;
