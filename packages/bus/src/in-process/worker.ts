// The queue of one receiver. One batch runs at a time, and the next one holds what arrived meanwhile.
import type { Delivery } from '../delivery.ts';
import type { Lifetime } from '../lifetime.ts';
import type { ReceiverHealth } from '../observer.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './wait.ts';

export type Worker = ReturnType<typeof createWorker>;

export interface WorkerOptions {
  receiver: Receiver<Item>;
  delivery: Delivery<Item>;
  lifetime: Lifetime;
  /** The number of messages from outside that may wait. */
  queueSize: number;
}

export function createWorker({ receiver, delivery, lifetime, queueSize }: WorkerOptions) {
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
    /** True when as many messages from outside wait as may. */
    full: () => fromOutside >= queueSize,
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
