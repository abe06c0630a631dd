// The options of the in-process bus, and its functions beyond the port.
import type { RequestDef } from '@landfall/contracts';
import type { DeadLetterSink } from '../dead-letter.ts';
import type { Log } from '../log.ts';
import type { BusHealth, Observer, ReceiverHealth } from '../observer.ts';
import type { Bus } from '../port.ts';

/**
 * The way in which tests redeliver messages. `doubled`: each message comes twice in one batch. `again`: each batch
 * comes a second time before any other batch of that handler. `recorded`: messages come once more when the test calls
 * `replay`. Queries are never redelivered.
 */
export type Redelivery = 'none' | 'doubled' | 'again' | 'recorded';

export interface InProcessOptions {
  log: Log;
  observer?: Observer;
  /** Stores dead letters. Without this function, dead letters are only logged. */
  deadLetters?: DeadLetterSink;
  /**
   * Returns true for an infrastructure error. After such an error, the bus retries the handler until it succeeds. Busy
   * and NoAnswer always count as infrastructure errors.
   */
  isTransient?: (error: unknown) => boolean;
  /** Returns the time that messages get, in milliseconds since 1970. Deadlines do not use this clock. */
  clock?: () => number;
  redelivery?: Redelivery;
  /**
   * The number of messages from outside that may wait for one handler or listener; 1,000 when left out. Above this
   * number, callers get Busy.
   */
  queueSize?: number;
  /**
   * The number of batches of one receiver that may run at once; 1 when left out. Messages with the same key stay in
   * order.
   */
  lanes?: number;
  /** The maximum number of messages in a batch; 500 when left out. */
  maxBatch?: number;
  /** The number of single attempts for a message when its handler throws; 3 when left out. */
  attempts?: number;
  /** Requests that must have a handler. `start` rejects when a handler is missing. */
  expects?: readonly RequestDef[];
}

/** A message of a dead letter, for its group alone. */
export interface Redelivered {
  readonly group: string;
  readonly message: string;
  readonly messageId: string;
  readonly data: unknown;
}

export interface InProcessBus extends Bus {
  /**
   * In mode `recorded`: delivers every event once more, and every command that was answered in time and not refused, in
   * the recorded order.
   */
  replay(): Promise<void>;
  /**
   * Delivers a dead letter to its group once more. Resolves when the group has done it. Rejects when it failed again, and
   * when nobody handles such a message any more.
   */
  redeliver(letter: Redelivered): Promise<void>;
  /** Resolves when no message waits and no handler runs. */
  idle(): Promise<void>;
  /** Returns the state of each handler and listener. */
  receivers(): readonly ReceiverHealth[];
  health(): BusHealth;
  /** Faults of handlers under redelivery, one sentence for each fault. At the end of a test, the list must be empty. */
  readonly violations: readonly string[];
}
