// The queue of one receiver and the loop that works it off: one batch at a time, and the next batch is what has
// gathered while the last one ran.
import type { Delivery } from '../delivery.ts';
import type { Life } from '../life.ts';
import type { ReceiverHealth } from '../observer.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './item.ts';

export interface Worker {
  /** The number of messages from outside that wait. */
  waiting(): number;
  push(item: Item): void;
  /** Milliseconds that the oldest unhandled message has waited; 0 when there is none. */
  waitedMs(): number;
  health(): ReceiverHealth;
}

export function createWorker(receiver: Receiver<Item>, delivery: Delivery<Item>, life: Life): Worker {
  let queue: Item[] = [];
  let fromOutside = 0;
  let running = 0;
  let working = false;
  /** When the first message of the queue, and of the batch, came. */
  let gathersSince = 0;
  let runsSince = 0;

  /**
   * A batch starts in the check phase, after the poll phase in which its messages came: what arrives together goes
   * together, a lone message waits for nothing, and other work of the process gets its turn between batches.
   */
  function push(item: Item) {
    if (queue.length === 0) gathersSince = performance.now();
    queue.push(item);
    if (item.outside) fromOutside++;
    life.count(1);
    if (working) return;
    working = true;
    setImmediate(work);
  }

  async function work() {
    runsSince = gathersSince;
    const batch = take();
    running = batch.length;
    await delivery.deliver(batch);
    running = 0;
    life.count(-batch.length);
    if (queue.length > 0) setImmediate(work);
    else working = false;
  }

  function take(): Item[] {
    let taken = queue;
    if (queue.length <= receiver.max) queue = [];
    else taken = queue.splice(0, receiver.max);
    // Of those that are left nobody knows when they came: at the latest now.
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
    health: () => ({ name: receiver.name, group: receiver.group, queued: queue.length, running, ...delivery.state }),
  };
}
