// New passwords.
import { text } from '../../fields.ts';

const PASSWORD_MAX = 1_024;
const PASSWORD_MIN = 10;
/** Checks the length in characters after normalisation. A letter with an accent is one character. */
export const isLongEnough = (typed: string): boolean => [...typed.normalize('NFKC')].length >= PASSWORD_MIN;
/** The password as the person typed it. */
export const passwordText = () =>
  text(PASSWORD_MAX)
    .refine(isLongEnough, { error: `must have at least ${PASSWORD_MIN} characters` })
    .meta({ minLength: PASSWORD_MIN });
