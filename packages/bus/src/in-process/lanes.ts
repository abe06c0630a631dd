// The queue of one receiver. Lanes are like the partitions of a topic: the messages of one key use one lane, in order.
// In a lane, one batch runs at a time, and the next one holds what arrived meanwhile. While one lane waits for the
// database, another one prepares its batch.
import type { Delivery } from '../delivery.ts';
import type { Lifetime } from '../lifetime.ts';
import type { ReceiverHealth } from '../observer.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './wait.ts';

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes(receiver: Receiver<Item>, workers: readonly Worker[], queueSize: number) {
  const [only] = workers;
  return {
    full: () => workers.reduce((waiting, worker) => waiting + worker.waiting(), 0) >= queueSize,
    push(item: Item) {
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

type Worker = ReturnType<typeof createWorker>;

export function createWorker(receiver: Receiver<Item>, delivery: Delivery<Item>, lifetime: Lifetime) {
  let queue: Item[] = [];
  let fromOutside = 0;
  let running = 0;
  let working = false;
  /** Arrival times of the first message in the queue and of the first message in the batch. */
  let gathersSince = 0;
  let runsSince = 0;

  /**
   * A batch starts in the check phase, after the poll phase in which its messages arrive. So messages that arrive
   * together form one batch, a single message does not wait, and other work of the process runs between batches.
   */
  function push(item: Item) {
    if (receiver.atOnce) return void alone(item);
    if (queue.length === 0) gathersSince = performance.now();
    queue.push(item);
    if (item.outside) fromOutside++;
    lifetime.count(1);
    if (working) return;
    working = true;
    setImmediate(work);
  }

  /** Handles a message beside the others. It counts as waiting until it is done. */
  async function alone(item: Item) {
    if (item.outside) fromOutside++;
    lifetime.count(1);
    running++;
    await new Promise(setImmediate);
    await delivery.deliver([item]);
    running--;
    lifetime.count(-1);
    if (item.outside) fromOutside--;
  }

  async function work() {
    runsSince = gathersSince;
    const batch = take();
    running = batch.length;
    await delivery.deliver(batch);
    running = 0;
    lifetime.count(-batch.length);
    if (queue.length > 0) setImmediate(work);
    else working = false;
  }

  function take(): Item[] {
    let taken = queue;
    if (queue.length <= receiver.max) queue = [];
    else taken = queue.splice(0, receiver.max);
    // The arrival times of the remaining messages are unknown. They arrived before this moment.
    gathersSince = performance.now();
    if (fromOutside > 0) for (const item of taken) if (item.outside) fromOutside--;
    return taken;
  }

  return {
    waiting: () => fromOutside,
    push,
    waitedMs() {
      if (running > 0) return performance.now() - runsSince;
      return queue.length > 0 ? performance.now() - gathersSince : 0;
    },
    health: (): ReceiverHealth => ({
      name: receiver.name,
      group: receiver.group,
      queued: queue.length,
      running,
      ...delivery.state,
    }),
  };
}
