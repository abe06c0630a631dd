// The dead letters of one process: read from their table, and replayed by the bus of this process.
import type { DeadLetterBox, InProcessBus } from '@landfall/bus';
import { type Database, deadLetterGroups, markReplayed, readDeadLetters } from '@landfall/db';
import type { Logger } from '@landfall/runtime';

interface Parts {
  database: Database;
  bus: Pick<InProcessBus, 'redeliver'>;
  log: Logger;
  now: () => Date;
}

export function deadLetterBox({ database, bus, log, now }: Parts): DeadLetterBox {
  return {
    groups: () => deadLetterGroups(database),
    async list(group) {
      const letters = await readDeadLetters(database, group);
      return letters.map(({ id: place, ...letter }) => ({ place, ...letter }));
    },
    async replay(group, places) {
      const letters = await readDeadLetters(database, group);
      const chosen = letters.filter(({ id, replayed }) => (places ? places.includes(id) : !replayed));
      let done = 0;
      // One after the other, in their order: letters with the same key belong together.
      for (const letter of chosen) {
        try {
          await bus.redeliver(letter);
          await markReplayed(database, letter.id, now());
          done++;
        } catch (err) {
          log.warn({ err, group, message: letter.message, id: letter.messageId }, 'a replayed message failed again');
        }
      }
      return done;
    },
    async close() {},
  };
}
