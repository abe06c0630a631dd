// Delays sign-ins after failed sign-ins, except from known places.

/** How fast delays grow. */
export interface Pace {
  /** The failures before there is a delay, because people mistype. */
  readonly free: number;
  /** The first delay, in milliseconds. Each further failure doubles it. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** A person must not be locked out for long by others who guess the password. */
export const PASSWORDS: Pace = { free: 5, firstMs: 1_000, longestMs: 60_000 };
/** Six digits are soon guessed, and whoever guesses them knows the password: at most 96 attempts a day. */
export const CODES: Pace = { ...PASSWORDS, longestMs: 15 * 60_000 };
/** Every email counts as a failure, because strangers can ask for it. */
export const EMAILS: Pace = { free: 1, firstMs: 60_000, longestMs: 4 * 3_600_000 };
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

/** With the pace of passwords, the fifth failure causes a delay of one second. */
export function afterFailure(before: Failures | null, now: Date, { free, firstMs, longestMs }: Pace): Failures {
  const known = before !== null && now.getTime() - before.lastAt.getTime() < FORGET_MS ? before.failures : 0;
  const failures = known + 1;
  const over = failures - free;
  const delayMs = over < 0 ? 0 : Math.min(firstMs * 2 ** Math.min(over, 20), longestMs);
  return { failures, nextAt: new Date(now.getTime() + delayMs), lastAt: now };
}

/** The browser comes before the address, because several people may share an address. Null: neither is known. */
export function placeOf(from: { deviceHash: string | null; address: string | null }, known: ReadonlySet<string>) {
  return [from.deviceHash, from.address].find((place) => place !== null && known.has(place)) ?? null;
}
