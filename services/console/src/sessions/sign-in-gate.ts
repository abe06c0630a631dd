// Limits how many sign-ins may wait for a password hash. Requests beyond about one second of hashing are refused before
// they cost anything. Some places are reserved for browsers in which their person has signed in before, and no address
// takes the places of all others.

import { Busy } from '@landfall/bus';
import { ApiError, type ClientAddress } from '@landfall/http';
import pLimit from 'p-limit';

export interface SignInCall {
  address: ClientAddress;
  hasLeft(): boolean;
}

/** A hash takes about 40 ms of a core. With one hash at a time these requests wait less than a second. */
const OF_STRANGERS = 16;
const OF_ONE_ADDRESS = 4;
/** The strangers who are before a person of a known browser in the queue for a hash. The others wait here. */
const STRANGERS_AT_ONCE = 4;
const OF_KNOWN = 8;
/** The places of one person, so that nobody takes all reserved places. */
const OF_ONE_PERSON = 2;
/** After this time the waiting requests are served. */
const RETRY_SECONDS = '2';

export function createSignInGate() {
  const strangers = places(OF_STRANGERS, OF_ONE_ADDRESS);
  const known = places(OF_KNOWN, OF_ONE_PERSON);
  const limit = pLimit(STRANGERS_AT_ONCE);

  async function runStranger<T>({ address, hasLeft }: SignInCall, work: () => Promise<T>): Promise<T> {
    const leave = strangers.enter(address.site ?? address.key);
    if (!leave) throw busy();
    try {
      return await limit(() => {
        if (hasLeft()) throw busy();
        return work();
      });
    } finally {
      leave();
    }
  }

  return {
    /**
     * Runs `work`. Throws 429 SIGN_IN_BUSY at once when there is no place, and when the client has left meanwhile.
     * @param person who has signed in before in this browser; null when there is nobody
     */
    async run<T>(person: string | null, call: SignInCall, work: () => Promise<T>): Promise<T> {
      const leave = person === null ? undefined : known.enter(person);
      try {
        return await (leave ? work() : runStranger(call, work));
      } catch (error) {
        throw error instanceof Busy ? busy() : error;
      } finally {
        leave?.();
      }
    },
  };
}

function places(most: number, ofOne: number) {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    /** Takes a place and returns a function that releases it. Undefined when there is no place. */
    enter(owner: string): (() => void) | undefined {
      const own = taken.get(owner) ?? 0;
      if (all >= most || own >= ofOne) return undefined;
      all++;
      taken.set(owner, own + 1);
      return () => {
        all--;
        const left = taken.get(owner)! - 1;
        if (left > 0) taken.set(owner, left);
        else taken.delete(owner);
      };
    },
  };
}

const busy = () => new ApiError('SIGN_IN_BUSY', undefined, { headers: { 'Retry-After': RETRY_SECONDS } });
