// Decides the state of a delivery after an attempt, and the time of the next attempt.
import type { PushOutcome } from '../domain/outcome.ts';

/** A delivery as it was taken out of the queue for this attempt. */
export interface Attempt {
  /** With this one. */
  readonly attempts: number;
  /** True when an earlier attempt ended with an unknown outcome. */
  readonly inDoubt: boolean;
  readonly expiresAt: Date;
}

/**
 * `sent`, `logged`, `failed`, `unknown` and `stopped` are ends. `queued`: again at `nextAt`; `counted` says whether this attempt is one of the
 * {@link MOST_ATTEMPTS}.
 */
export type NextStep =
  | { readonly state: 'sent'; readonly providerId: string | null; readonly reason: null }
  /** It went to the log, and to nobody. */
  | { readonly state: 'logged'; readonly reason: null }
  | { readonly state: 'failed' | 'unknown' | 'stopped'; readonly reason: string }
  | {
      readonly state: 'queued';
      readonly nextAt: Date;
      readonly counted: boolean;
      readonly inDoubt: boolean;
      readonly reason: string | null;
    };

/** With the backoff below, about half an hour of a provider that fails. */
export const MOST_ATTEMPTS = 10;
const BACKOFF_MS = 2_000;
const LONGEST_BACKOFF_MS = 900_000;
/** No provider is believed that asks for more. */
const LONGEST_WAIT_MS = 3_600_000;
/** A push that may still arrive has time to do so before it is sent once more. */
const DOUBT_MS = 10_000;

/** An outcome of which it is clear whom it is about. */
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

/** Back in the queue as if it had not been taken. */
export const released = (attempt: Pick<Attempt, 'inDoubt'>, now: Date) =>
  ({ state: 'queued', nextAt: now, counted: false, inDoubt: attempt.inDoubt, reason: null }) as const;

/** The `reason` of what somebody stopped before it was sent. */
export const STOPPED = 'stopped';

/** It will not be sent: what an attempt in doubt became nobody knows, though. */
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

/** As long as the provider asks for, with a second of jitter; else backoff with full jitter. In milliseconds. */
export function pauseMs(attempts: number, retryAfterMs: number | null, random: () => number): number {
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, 0), LONGEST_WAIT_MS) + random() * 1_000;
  return random() * Math.min(BACKOFF_MS * 2 ** Math.max(attempts - 1, 0), LONGEST_BACKOFF_MS);
}

/** Makes text of others fit for PostgreSQL and events. */
function wordOf<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\u0000', '').toWellFormed().slice(0, 200).toWellFormed()) as T;
}
