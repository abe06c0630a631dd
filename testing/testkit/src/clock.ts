// A clock for tests. It moves only when a test advances it, and by one millisecond at each read, so that no two
// messages have the same time.

export interface Clock {
  (): number;
  /** Advances the clock. */
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
}

/**
 * @param start ISO 8601. The default is in the middle of a month, so that no test reaches the next month by accident.
 */
export function fakeClock(start = '2026-11-15T12:00:00.000Z'): Clock {
  let now = Date.parse(start);
  const clock = () => now++;
  return Object.assign(clock, {
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Parameters<Clock['advance']>[0]) {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
    },
  });
}
