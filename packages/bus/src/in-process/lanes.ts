// Several loops for one receiver, like the partitions of a topic. Messages with the same key use the same lane, in
// order. While one lane waits for the database, another lane prepares its batch.
import type { ReceiverHealth } from '../observer.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './item.ts';
import type { Worker } from './worker.ts';

export interface Lanes {
  /** Returns true when the waiting messages from outside reach the limit, summed over all lanes. */
  full(): boolean;
  push(item: Item): void;
  /** Milliseconds that the oldest unhandled message has waited; 0 when there is none. */
  waitedMs(): number;
  health(): ReceiverHealth;
}

export function createLanes(receiver: Receiver<Item>, workers: readonly Worker[], queueSize: number): Lanes {
  const [only] = workers;
  return {
    full: () => workers.reduce((waiting, worker) => waiting + worker.waiting(), 0) >= queueSize,
    push(item) {
      const lane = workers.length === 1 ? only! : workers[hashOf(receiver.key(item.message)) % workers.length]!;
      lane.push(item);
    },
    waitedMs: () => Math.max(...workers.map((worker) => worker.waitedMs())),
    health: () => workers.map((worker) => worker.health()).reduce(together),
  };
}

/** FNV-1a. A hash without protection against attacks is enough, because keys are already ids and hashes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const together = (a: ReceiverHealth, b: ReceiverHealth): ReceiverHealth => ({
  name: a.name,
  group: a.group,
  queued: a.queued + b.queued,
  running: a.running + b.running,
  paused: a.paused || b.paused,
  retrying: a.retrying || b.retrying,
  deadLetters: a.deadLetters + b.deadLetters,
  dropped: a.dropped + b.dropped,
});
