// What waits to be sent to one partition: one request at a time, and what gathers meanwhile goes with the next. A request
// holds one partition only: kafkajs forgets acknowledged messages otherwise when one of several leaders dies.
import type { Message } from 'kafkajs';

/** A message on its way to the broker. */
export interface Parcel {
  readonly message: Message;
  readonly bytes: number;
  /** Milliseconds since 1970 after which it is of no use to anybody; endless when left out. */
  readonly deadline: number | undefined;
  /** It was handed to the broker's client: from now on nobody knows whether it arrived, until it is acknowledged. */
  sent: boolean;
  /** Acknowledged, or given up because its time was over. */
  settle(error?: Error): void;
}

export interface Lane {
  readonly waiting: number;
  push(parcel: Parcel): void;
  /** Takes it out again. False: it was sent already. */
  withdraw(parcel: Parcel): boolean;
}

const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;

/** @param send resolves once the broker has all of them; it tries as long as it takes. */
export function createLane(send: (parcels: readonly Parcel[]) => Promise<void>): Lane {
  let queue: Parcel[] = [];
  let working = false;

  async function work(): Promise<void> {
    const batch = take();
    if (batch.length > 0) await send(batch);
    if (queue.length > 0) return work();
    working = false;
  }

  function take(): Parcel[] {
    const now = Date.now();
    const batch: Parcel[] = [];
    let bytes = 0;
    let taken = 0;
    for (const parcel of queue) {
      if (batch.length === MAX_MESSAGES || (batch.length > 0 && bytes + parcel.bytes > MAX_BYTES)) break;
      taken++;
      if (parcel.deadline !== undefined && parcel.deadline <= now) {
        parcel.settle(new Error('its time was over before it was sent'));
        continue;
      }
      parcel.sent = true;
      bytes += parcel.bytes;
      batch.push(parcel);
    }
    queue = taken === queue.length ? [] : queue.slice(taken);
    return batch;
  }

  return {
    get waiting() {
      return queue.length;
    },
    push(parcel) {
      queue.push(parcel);
      if (working) return;
      working = true;
      // What is said in the same turn goes together.
      setImmediate(() => void work());
    },
    withdraw(parcel) {
      if (parcel.sent) return false;
      queue = queue.filter((one) => one !== parcel);
      return true;
    },
  };
}
