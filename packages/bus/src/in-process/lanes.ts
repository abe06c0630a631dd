// Several loops for one receiver, as a topic has several partitions: what has the same key goes the same way, in order, and
// while one lane waits for the database another one gets its batch ready.
import type { ReceiverHealth } from '../observer.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './item.ts';
import type { Worker } from './worker.ts';

export interface Lanes {
  /** True when the bound for messages from outside is reached, over all lanes. */
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

/** FNV-1a: nobody attacks it, and keys are ids and hashes already. */
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
