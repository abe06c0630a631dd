// Checks a given password against the stored one. Every failure makes the delay for the next attempts longer.
import { ApiError } from '@landfall/http';
import type { ConsoleParts } from '../parts.ts';
import { afterFailure, type Failures } from '../sessions/sign-in-delays.ts';
import type { Guessed } from '../sessions/sign-in-repository.ts';

export interface Attempt {
  of: Guessed;
  typed: string;
  /** The stored hash. Null: the check takes the same time and always fails. */
  stored: string | null;
  now: Date;
}

/**
 * Returns if the password is right. The outcome of attempts at once counts as if they came one after the other: each
 * checks again, under a lock, that none of the others has begun a delay. So many at once learn no more than one.
 * @throws ApiError WRONG_CREDENTIALS, or SIGN_IN_DELAYED without a hint whether the password is right
 */
export async function checkPassword({ of, typed, stored, now }: Attempt, { account, passwords }: ConsoleParts) {
  throwIfDelayed(await account.signIns.failures(of));
  const right = await passwords.verify(typed, stored);
  await account.signIns.inTurn(of, async (tx) => {
    const before = await account.signIns.failures(of, tx);
    throwIfDelayed(before);
    if (!right) await account.signIns.count(tx, of, afterFailure(before, now));
  });
  if (!right) throw new ApiError('WRONG_CREDENTIALS');

  function throwIfDelayed(failures: Failures | null): void {
    const seconds = failures === null ? 0 : Math.ceil((failures.nextAt.getTime() - now.getTime()) / 1_000);
    if (seconds > 0) throw new ApiError('SIGN_IN_DELAYED', undefined, { headers: { 'Retry-After': String(seconds) } });
  }
}
