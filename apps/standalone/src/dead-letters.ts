// The dead letters of one process: read from their table, and replayed by the bus of this process.
import { setTimeout as delay } from 'node:timers/promises';
import { Busy, type DeadLetterBox, type InProcessBus, isWaiting } from '@landfall/bus';
import { type Database, deadLetterGroups, markReplayed, readDeadLetters } from '@landfall/db';
import type { Logger } from '@landfall/runtime';

interface Parts {
  database: Database;
  bus: Pick<InProcessBus, 'redeliver'>;
  log: Logger;
  now: () => Date;
  /** Milliseconds after which a replay answers, though it goes on. */
  answerMs?: number;
}

/** Less than the time-outs of proxies. A receiver pauses for 30 s after many failures in a row. */
const ANSWER_MS = 3_000;

export function deadLetterBox({ database, bus, log, now, answerMs = ANSWER_MS }: Parts): DeadLetterBox {
  const running = new Set<string>();

  return {
    groups: () => deadLetterGroups(database),
    async list(group) {
      const letters = await readDeadLetters(database, group);
      return letters.map((letter) => ({ ...letter, replaying: running.has(letter.place) }));
    },
    async replay(group, places) {
      const letters = await readDeadLetters(database, group);
      const chosen = letters
        .filter((letter) => (places ? places.includes(letter.place) : isWaiting(letter)))
        .filter(({ place }) => !running.has(place));
      for (const { place } of chosen) running.add(place);
      let replayed = 0;
      const all = each(chosen, () => replayed++);
      await Promise.race([all, delay(answerMs, undefined, { ref: false })]);
      return { replayed, running: chosen.filter(({ place }) => running.has(place)).length };
    },
    async close() {},
  };

  /** One after the other, in their order: letters with the same key belong together. */
  async function each(letters: Awaited<ReturnType<typeof readDeadLetters>>, done: () => void): Promise<void> {
    let stopped = false;
    for (const letter of letters) {
      try {
        if (stopped) continue;
        await bus.redeliver(letter);
        await markReplayed(database, letter.place, now());
        done();
      } catch (err) {
        const { group, message, messageId: id } = letter;
        log.warn({ err, group, message, id }, 'a replayed message failed again');
        // The bus stops, or has no room. The letters that are left stay as they are.
        stopped = err instanceof Busy;
      } finally {
        running.delete(letter.place);
      }
    }
  }
}
