// Delays sign-ins after failed sign-ins, except from known places.

/** The number of failures before attempts are delayed, because people mistype. */
const FREE_FAILURES = 5;
/** The longest delay. A person must not be locked out for long by others who guess the password. */
const LONGEST_MS = 60_000;
/** Failures are forgotten after this time without another failure. */
export const FORGET_MS = 24 * 3_600_000;
/** The days for which a place is known after a sign-in from it. */
export const KNOWN_PLACE_DAYS = 90;

/** The failures in a row for one email: from one place that its person is known at, or from all others. */
export interface Failures {
  readonly failures: number;
  /** The password is not checked before this time. */
  readonly nextAt: Date;
  readonly lastAt: Date;
}

/** The fifth failure causes a delay of one second. Each further failure doubles it, up to one minute. */
export function afterFailure(before: Failures | null, now: Date): Failures {
  const known = before !== null && now.getTime() - before.lastAt.getTime() < FORGET_MS ? before.failures : 0;
  const failures = known + 1;
  const over = failures - FREE_FAILURES;
  const delayMs = over < 0 ? 0 : Math.min(1_000 * 2 ** Math.min(over, 20), LONGEST_MS);
  return { failures, nextAt: new Date(now.getTime() + delayMs), lastAt: now };
}

/** The browser comes before the address, because several people may share an address. Null: neither is known. */
export function placeOf(from: { deviceHash: string | null; address: string | null }, known: ReadonlySet<string>) {
  return [from.deviceHash, from.address].find((place) => place !== null && known.has(place)) ?? null;
}
