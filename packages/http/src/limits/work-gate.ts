// Bounds work that takes longer than a millisecond and that everyone may start. Little of it runs at once, and little
// waits. The rest is refused at once, so that other requests go on.
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { busy } from '../answers/errors.ts';

const AT_ONCE = 2;
/** They take less than half a second together. */
const MOST_WAITING = 40;
/**
 * Turns of the event loop before each work. In one turn a process accepts one connection only, so a crowd of connections
 * would wait behind all works. Turns without other work take some microseconds.
 */
const TURNS = 32;

export type WorkGate = ReturnType<typeof createWorkGate>;

export function createWorkGate() {
  const limit = pLimit(AT_ONCE);
  return {
    /**
     * Runs the work when there is a place. Throws 503 BUSY at once when too many wait, and when nobody waits for the
     * result any more.
     * @param hasLeft whether the client of the request has left
     */
    async run<T>(hasLeft: () => boolean, work: () => T | Promise<T>): Promise<T> {
      if (limit.pendingCount >= MOST_WAITING) throw busy();
      return limit(async () => {
        // Between two works the process reads other requests, and learns which clients have left.
        for (let turn = 0; turn < TURNS; turn++) await nextTurn();
        if (hasLeft()) throw busy();
        return work();
      });
    },
  };
}
