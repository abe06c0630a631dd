// Delays sign-ins after failed ones, except from known places.

/** Failures that cost nobody anything: people mistype. */
const FREE_FAILURES = 5;
/** So that nobody is kept out for long by whoever guesses at their password. */
const LONGEST_MS = 60_000;
/** Failures are forgotten when there was none for so long. */
export const FORGET_MS = 24 * 3_600_000;
/** From where somebody has signed in within so many days, they are known. */
export const KNOWN_PLACE_DAYS = 90;
/** A message that is delivered again finds itself among so many. */
const REMEMBERED = 20;

/** Failures in a row of one email: from one place where its person is known, or from everywhere else. */
export interface Failures {
  readonly failures: number;
  /** No attempt is looked at before. */
  readonly nextAt: Date;
  readonly lastAt: Date;
  /** The messages that were counted last. */
  readonly messages: readonly string[];
}

/** Milliseconds until an attempt is looked at; 0: now. */
export function waitMs(before: Failures | null, now: Date): number {
  return before === null ? 0 : Math.max(0, before.nextAt.getTime() - now.getTime());
}

/** Adds a failure to earlier ones: after five, the delay is a second, then twice as long each time, up to a minute. */
export function afterFailure(before: Failures | null, message: string, now: Date): Failures {
  const known = before !== null && now.getTime() - before.lastAt.getTime() < FORGET_MS ? before.failures : 0;
  const failures = known + 1;
  const over = failures - FREE_FAILURES;
  const delayMs = over < 0 ? 0 : Math.min(1_000 * 2 ** Math.min(over, 20), LONGEST_MS);
  const messages = [...(before?.messages ?? []), message].slice(-REMEMBERED);
  return { failures, nextAt: new Date(now.getTime() + delayMs), lastAt: now, messages };
}

/** The place whose failures count for an attempt: the browser rather than the address, which others may share. Null: nowhere known. */
export function placeOf(
  from: { deviceHash: string | null; address: string | null },
  known: ReadonlySet<string>,
): string | null {
  return [from.deviceHash, from.address].find((place) => place !== null && known.has(place)) ?? null;
}

/** So long a person may choose a password by the code of a reset: a day. */
export const RESET_MS = 86_400_000;
