// The turns of a question: it reads counts and single facts when there is a place for it.
import pLimit from 'p-limit';
import type { Turns } from '../store.ts';
import { type Asker, createGate, type GateLimits } from './gate.ts';

/** Questions to counts take milliseconds. Neither an app nor a caller gets all places, so that others do not wait long. */
const COUNTS: GateLimits = {
  atOnce: 3,
  atOnceOfApp: 2,
  atOnceOfCaller: 2,
  waiting: 1_000,
  waitingOfCaller: 200,
  workOfCallerMs: 60_000,
};

/**
 * Questions to single facts read up to all facts of an app, and keep a connection for seconds. Connections must be left
 * for what is counted meanwhile. A page of the web app asks up to six of them.
 */
const FACTS: GateLimits = {
  atOnce: 3,
  atOnceOfApp: 1,
  atOnceOfCaller: 2,
  waiting: 100,
  waitingOfCaller: 10,
  workOfCallerMs: 60_000,
};

export function createQuestions() {
  const counts = createGate(COUNTS);
  const facts = createGate(FACTS);
  return {
    /** Works on a question with its turns. It has no place any more when the work is done. */
    async work<T>(asker: Asker, work: (turns: Turns) => Promise<T>): Promise<T> {
      // A question has one place among those to facts, until it is answered, and reads one after the other.
      const inTurn = pLimit(1);
      let place: ReturnType<typeof facts.enter> | undefined;
      try {
        return await work({
          async counts(read) {
            // A question may read several counts at the same time.
            const leave = await counts.enter({ ...asker });
            return read().finally(leave);
          },
          async facts(read) {
            place ??= facts.enter(asker);
            await place;
            return inTurn(read);
          },
        });
      } finally {
        inTurn.clearQueue();
        // After the read that still runs when another one has failed.
        if (place !== undefined) void inTurn(() => place!.then((leave) => leave()).catch(() => {}));
      }
    },
  };
}
