// Codes for a person whose second factor is lost. Each has 79 bits, so that its plain hash says nothing.
import { randomInt } from 'node:crypto';
import { sha256 } from '@landfall/http';

const CODES = 10;
const LENGTH = 16;
/** No character looks like another one. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns new codes as people read them: `abcd-efgh-jkmn-pqrs`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () =>
    Array.from({ length: LENGTH }, (_, at) => (at > 0 && at % 4 === 0 ? '-' : '') + random()).join(''),
  );

const random = () => ALPHABET[randomInt(ALPHABET.length)]!;

/** People type codes with spaces and in capitals. */
export const recoveryCodeHash = (typed: string): string => sha256(typed.toLowerCase().replace(/[\s-]/g, ''));
