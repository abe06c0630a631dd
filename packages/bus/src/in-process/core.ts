import type { RequestDef } from '@landfall/contracts';
import type { DeadLetterSink } from '../dead-letter.ts';
import { createDelivery } from '../delivery.ts';
import { createLifetime } from '../lifetime.ts';
import { type BusHealth, type Log, type Observer, silent } from '../observer.ts';
import type { Bus } from '../port.ts';
import { comparing, taking } from '../read-message.ts';
import type { Receiver } from '../receiver.ts';
import type { Item } from './wait.ts';
import { createWorker, type Worker } from './worker.ts';

export interface InProcessOptions {
  log: Log;
  observer?: Observer;
  /** Stores dead letters. Without this function, dead letters are only logged. */
  deadLetters?: DeadLetterSink;
  /** Returns true for an error after which the handler is retried until it succeeds. Busy and NoAnswer always are. */
  isTransient?: (error: unknown) => boolean;
  /** Returns the time that messages get, in milliseconds since 1970. Deadlines do not use this clock. */
  clock?: () => number;
  /** The number of messages from outside that may wait for one receiver, before callers get Busy; 1,000 by default. */
  queueSize?: number;
  /** The number of single attempts for a message when its handler throws; 3 when left out. */
  attempts?: number;
  /** True in a running product: its messages are read by `taking`, and answers as they are. Else both are checked. */
  trusts?: boolean;
  /** Requests that must have a handler. `start` rejects when a handler is missing. */
  expects?: readonly RequestDef[];
}

export interface InProcessBus extends Bus {
  /** Delivers a dead letter to its group once more. Rejects when it fails again, or nobody handles it any more. */
  redeliver(letter: { group: string; message: string; messageId: string; data: unknown }): Promise<void>;
  idle(): Promise<void>;
  health(): BusHealth;
}

const MAX_BATCH = 500;

export type Core = ReturnType<typeof createCore>;

export function createCore(options: InProcessOptions) {
  const { log, clock = Date.now, queueSize = 1_000, observer = silent } = options;
  const { deadLetters, isTransient, attempts } = options;
  const lifetime = createLifetime();
  const patienceMs = Number.POSITIVE_INFINITY;
  const settings = { log, lifetime, observer, deadLetters, isTransient, clock, attempts, patienceMs };
  const receivers: Worker[] = [];

  function open(wanted: Receiver<Item>): Worker {
    const receiver = { ...wanted, max: Math.min(wanted.max, MAX_BATCH) };
    const delivery = createDelivery(receiver, settings);
    const worker = createWorker({ receiver, delivery, lifetime, queueSize });
    receivers.push(worker);
    return worker;
  }

  const { trusts = false } = options;
  const reads = trusts ? taking : comparing;
  return { log, lifetime, observer, clock, trusts, reads, open, receivers };
}
