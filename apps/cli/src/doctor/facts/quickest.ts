// Measures how quickly a server answers. A round trip also contains the delays of this process, which has just started
// and runs all checks at once. So doctor asks again until one round trip is quick, and takes the quickest.
const AT_LEAST = 3;
const LONGEST_MS = 1_000;

/**
 * Resolves with the milliseconds of the quickest round trip. Asks at least three times, and for up to a second while all
 * of them are slower than `quickMs`. Rejects when `ask` does.
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
