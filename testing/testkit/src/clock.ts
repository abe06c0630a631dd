// A clock that only moves when it is told to, but for a millisecond at each look, so that no two messages are at once.

export interface Clock {
  (): number;
  /** Lets time pass. */
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
}

/** @param start ISO 8601; the middle of a month when left out, so that no test crosses into the next by accident */
export function fakeClock(start = '2026-11-15T12:00:00.000Z'): Clock {
  let now = Date.parse(start);
  const clock = () => now++;
  return Object.assign(clock, {
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Parameters<Clock['advance']>[0]) {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
    },
  });
}
