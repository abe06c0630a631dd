// How doctor asks a server: once for all checks, what time it has, and how quickly it answers.

/** Asks a question at the first call. All calls share the answer. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/**
 * The clock of another machine. It was read between `askedAt` and `answeredAt`, which are times of our clock. All are in
 * milliseconds since 1970.
 */
export interface Clock {
  now: number;
  askedAt: number;
  answeredAt: number;
}

export async function clockOf(read: () => Promise<number>): Promise<Clock> {
  const askedAt = Date.now();
  const now = await read();
  return { now, askedAt, answeredAt: Date.now() };
}

const AT_LEAST = 3;
const LONGEST_MS = 1_000;

/**
 * Resolves with the milliseconds of the quickest round trip, because a round trip also contains the delays of this process,
 * which has just started and runs all checks at once. Asks at least three times, and for up to a second while all of them
 * are slower than `quickMs`. Rejects when `ask` does.
 */
export async function quickestRoundTrip(
  ask: () => Promise<unknown>,
  quickMs: number,
  now: () => number = () => performance.now(),
): Promise<number> {
  const begun = now();
  let quickest = Number.POSITIVE_INFINITY;
  for (let asked = 0; asked < AT_LEAST || (quickest > quickMs && now() - begun < LONGEST_MS); asked++) {
    const before = now();
    await ask();
    quickest = Math.min(quickest, now() - before);
  }
  return quickest;
}
