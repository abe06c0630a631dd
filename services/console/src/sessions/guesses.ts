// Checks what somebody may guess: a password, or the code of a second factor. Every failure makes the delay for the next
// attempts longer.
import { ApiError, type ErrorCode } from '@landfall/http';
import type { ConsoleParts } from '../parts.ts';
import { afterFailure, type Failures, type Pace } from './sign-in-delays.ts';
import type { Guessed } from './sign-in-repository.ts';

export interface Guess {
  of: Guessed;
  /** Takes the same time for a right guess and a wrong one. */
  isRight: () => Promise<boolean>;
  /** The error for a wrong one. */
  wrong: ErrorCode;
  now: Date;
  pace: Pace;
}

/**
 * Returns if the guess is right. The outcome of attempts at once counts as if they came one after the other: each checks
 * again, under a lock, that none of the others has begun a delay. So many at once learn no more than one.
 * @throws ApiError `wrong`, or SIGN_IN_DELAYED without a hint whether the guess is right
 */
export async function checkGuess({ of, isRight, wrong, now, pace }: Guess, { account }: ConsoleParts) {
  throwIfDelayed(await account.signIns.failures(of));
  const right = await isRight();
  await account.signIns.inTurn(of, async (tx) => {
    const before = await account.signIns.failures(of, tx);
    throwIfDelayed(before);
    if (!right) await account.signIns.count(tx, of, afterFailure(before, now, pace));
  });
  if (!right) throw new ApiError(wrong);

  function throwIfDelayed(failures: Failures | null): void {
    const seconds = failures === null ? 0 : Math.ceil((failures.nextAt.getTime() - now.getTime()) / 1_000);
    if (seconds > 0) throw new ApiError('SIGN_IN_DELAYED', undefined, { headers: { 'Retry-After': String(seconds) } });
  }
}
