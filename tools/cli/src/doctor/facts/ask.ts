/** All calls share the answer. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/** Another machine's clock, read between `askedAt` and `answeredAt` of ours. In milliseconds since 1970. */
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
 * Milliseconds of the quickest round trip: others contain the delays of this process, which has just started and runs
 * all checks at once. Asks at least three times, and for up to a second while all of them are slower than `quickMs`.
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
