// Limits how many requests wait for a password hash. Requests beyond about a second of hashing are refused before they
// cost anything. Some places are kept for browsers in which the same person signed in before.
import { Busy } from '@landfall/bus';
import { ApiError } from '../http/errors.ts';

export interface SignInGate {
  /**
   * Runs `work`, or throws 429 SIGN_IN_BUSY at once where there is no place.
   * @param known who has signed in before in the browser that asks; null: nobody is known to have
   */
  run<T>(known: string | null, work: () => Promise<T>): Promise<T>;
}

/** A hash takes about 40 ms of a core: with one at a time these wait for less than a second. */
const OF_STRANGERS = 16;
const OF_KNOWN = 8;
/** Of one person, so that nobody takes all places that are kept. */
const OF_ONE_PERSON = 2;
/** By then those who wait have been served. */
const RETRY_SECONDS = '2';

export function createSignInGate(): SignInGate {
  let strangers = 0;
  let known = 0;
  const byPerson = new Map<string, number>();

  /** Takes a place, and gives what gives it back; undefined where there is none. */
  function enter(person: string | null): (() => void) | undefined {
    const own = person === null ? OF_ONE_PERSON : (byPerson.get(person) ?? 0);
    if (person !== null && own < OF_ONE_PERSON && known < OF_KNOWN) {
      known++;
      byPerson.set(person, own + 1);
      return () => {
        known--;
        const left = byPerson.get(person)! - 1;
        if (left > 0) byPerson.set(person, left);
        else byPerson.delete(person);
      };
    }
    if (strangers >= OF_STRANGERS) return undefined;
    strangers++;
    return () => {
      strangers--;
    };
  }

  return {
    async run(person, work) {
      const leave = enter(person);
      if (!leave) throw busy();
      try {
        return await work();
      } catch (error) {
        throw error instanceof Busy ? busy() : error;
      } finally {
        leave();
      }
    },
  };
}

const busy = () => new ApiError('SIGN_IN_BUSY', undefined, { headers: { 'Retry-After': RETRY_SECONDS } });
