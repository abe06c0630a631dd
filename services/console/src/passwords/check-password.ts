// Checks a given password against the stored one.
import type { ConsoleParts } from '../parts.ts';
import { checkGuess } from '../sessions/guesses.ts';
import { PASSWORDS } from '../sessions/sign-in-delays.ts';
import type { Guessed } from '../sessions/sign-in-repository.ts';

export interface Attempt {
  of: Guessed;
  typed: string;
  /** The stored hash. Null: the check takes the same time and always fails. */
  stored: string | null;
  now: Date;
}

/** @throws ApiError WRONG_CREDENTIALS, or SIGN_IN_DELAYED without a hint whether the password is right */
export const checkPassword = ({ of, typed, stored, now }: Attempt, parts: ConsoleParts): Promise<void> =>
  checkGuess(
    { of, isRight: () => parts.passwords.verify(typed, stored), wrong: 'WRONG_CREDENTIALS', now, pace: PASSWORDS },
    parts,
  );
