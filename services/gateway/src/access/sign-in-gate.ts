// Limits how many sign-ins may wait for a password hash. Requests beyond about one second of hashing are refused before
// they cost anything. Some places are reserved for browsers in which their person has signed in before.
import { Busy } from '@landfall/bus';
import { ApiError } from '../http/errors.ts';

export interface SignInGate {
  /**
   * Runs `work`. Throws 429 SIGN_IN_BUSY at once when there is no place.
   * @param known the person who has signed in before in this browser; null when there is none
   */
  run<T>(known: string | null, work: () => Promise<T>): Promise<T>;
}

/** A hash takes about 40 ms of a core. With one hash at a time these requests wait less than a second. */
const OF_STRANGERS = 16;
const OF_KNOWN = 8;
/** The places of one person, so that nobody takes all reserved places. */
const OF_ONE_PERSON = 2;
/** After this time the waiting requests are served. */
const RETRY_SECONDS = '2';

export function createSignInGate(): SignInGate {
  let strangers = 0;
  let known = 0;
  const byPerson = new Map<string, number>();

  /** Takes a place and returns a function that releases it. Undefined when there is no place. */
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
