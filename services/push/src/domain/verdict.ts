// Decides the state of a delivery after an attempt, and the time of the next attempt.
import type { PushOutcome } from './outcomes.ts';

export interface Attempt {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** True when an earlier attempt ended with an unknown outcome. */
  readonly inDoubt: boolean;
  readonly expiresAt: Date;
}

/**
 * `sent`, `logged`, `failed`, `unknown` and `stopped` are final. `queued`: the delivery is tried again at `nextAt`.
 * `counted` says whether this attempt is one of the {@link MOST_ATTEMPTS}.
 */
export type NextStep =
  | { readonly state: 'sent'; readonly providerId: string | null; readonly reason: null }
  /** The push was written to the log and sent to no device. */
  | { readonly state: 'logged'; readonly reason: null }
  | { readonly state: 'failed' | 'unknown' | 'stopped'; readonly reason: string }
  | {
      readonly state: 'queued';
      readonly nextAt: Date;
      readonly counted: boolean;
      readonly inDoubt: boolean;
      readonly reason: string | null;
    };

/** With the backoff below, the ten attempts at a failing provider take about 17 minutes. */
export const MOST_ATTEMPTS = 10;
const BACKOFF_MS = 2_000;
const LONGEST_BACKOFF_MS = 900_000;
/** The longest wait that a provider may ask for, in milliseconds. A longer wait is shortened to this. */
const LONGEST_WAIT_MS = 3_600_000;
/** The least wait after an unknown outcome, in milliseconds. The push may still arrive before it is sent once more. */
const DOUBT_MS = 10_000;

/** An outcome with a clear cause: the token, the message or the provider. */
export type Judged = Exclude<PushOutcome, { kind: 'suspect' }>;

/** @param random at least 0 and less than 1 */
export function verdictOf(attempt: Attempt, outcome: Judged, now: Date, random: () => number): NextStep {
  switch (outcome.kind) {
    case 'sent':
      if (outcome.logged) return { state: 'logged', reason: null };
      return { state: 'sent', providerId: wordOf(outcome.providerId), reason: null };
    case 'drop':
    case 'fail':
      return { state: 'failed', reason: wordOf(outcome.reason) };
    case 'pause':
      return { ...released(attempt, now), reason: wordOf(outcome.reason) };
    case 'wait':
      return again(attempt, outcome, now, random, outcome.whom === 'device');
    case 'retry':
      return again(attempt, outcome, now, random, true);
    case 'unknown':
      return doubted(attempt, wordOf(outcome.reason), now, random);
  }
}

/** Puts a delivery back into the queue as if it had not been taken. */
export const released = (attempt: Pick<Attempt, 'inDoubt'>, now: Date) =>
  ({ state: 'queued', nextAt: now, counted: false, inDoubt: attempt.inDoubt, reason: null }) as const;

/** The `reason` of a delivery that was stopped before it was sent. */
export const STOPPED = 'stopped';

/** Ends a delivery that is not sent any more. If an earlier attempt is in doubt, the outcome is unknown. */
export const givenUp = (attempt: Pick<Attempt, 'inDoubt'>, reason: string): NextStep => ({
  state: attempt.inDoubt ? 'unknown' : reason === STOPPED ? 'stopped' : 'failed',
  reason: wordOf(reason),
});

function again(
  attempt: Attempt,
  { reason, retryAfterMs }: { reason: string; retryAfterMs: number | null },
  now: Date,
  random: () => number,
  counted: boolean,
): NextStep {
  const nextAt = new Date(now.getTime() + pauseMs(attempt.attempts, retryAfterMs, random));
  if (nextAt > attempt.expiresAt || (counted && attempt.attempts >= MOST_ATTEMPTS)) return givenUp(attempt, reason);
  return { state: 'queued', nextAt, counted, inDoubt: attempt.inDoubt, reason: wordOf(reason) };
}

function doubted(attempt: Attempt, reason: string, now: Date, random: () => number): NextStep {
  const nextAt = new Date(now.getTime() + DOUBT_MS + random() * DOUBT_MS);
  const last = attempt.inDoubt || attempt.attempts >= MOST_ATTEMPTS || nextAt > attempt.expiresAt;
  if (last) return { state: 'unknown', reason };
  return { state: 'queued', nextAt, counted: true, inDoubt: true, reason };
}

/** The wait that the provider asks for, plus up to one second of jitter. Otherwise: backoff with full jitter. */
export function pauseMs(attempts: number, retryAfterMs: number | null, random: () => number): number {
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, 0), LONGEST_WAIT_MS) + random() * 1_000;
  return random() * Math.min(BACKOFF_MS * 2 ** Math.max(attempts - 1, 0), LONGEST_BACKOFF_MS);
}

/** Makes text from outside fit for PostgreSQL and events. */
function wordOf<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\u0000', '').toWellFormed().slice(0, 200).toWellFormed()) as T;
}
