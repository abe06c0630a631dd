// The options of the in-process bus, and its functions besides the port.
import type { RequestDef } from '@landfall/contracts';
import type { DeadLetterSink } from '../dead-letter.ts';
import type { Log } from '../log.ts';
import type { BusHealth, Observer, ReceiverHealth } from '../observer.ts';
import type { Bus } from '../port.ts';

/**
 * The way in which tests deliver messages once more. `doubled`: twice in one batch. `again`: a second time before
 * anything else of that handler. `recorded`: once more when the test calls `replay`. Queries are never redelivered.
 */
export type Redelivery = 'none' | 'doubled' | 'again' | 'recorded';

export interface InProcessOptions {
  log: Log;
  observer?: Observer;
  /** Keeps dead letters. Without it they are only logged. */
  deadLetters?: DeadLetterSink;
  /**
   * Returns true for an error of the infrastructure, after which the handler is tried again until it passes. Busy and
   * NoAnswer always are.
   */
  isTransient?: (error: unknown) => boolean;
  /** The time that messages get, in milliseconds since 1970. Deadlines do not follow it. */
  clock?: () => number;
  redelivery?: Redelivery;
  /** Messages from outside that may wait for one handler, 1,000 when left out; over it Busy. */
  queueSize?: number;
  /** Batches of one receiver that may run at once, 1 when left out. What has the same key stays in order. */
  lanes?: number;
  /** The largest batch, 500 when left out. */
  maxBatch?: number;
  /** The number of single attempts for a message on which its handler throws; 3 when left out. */
  attempts?: number;
  /** Requests that must have a handler, or `start` rejects. */
  expects?: readonly RequestDef[];
}

export interface InProcessBus extends Bus {
  /** Mode `recorded`: delivers every command that was answered in time and not refused, and every event, once more, in order. */
  replay(): Promise<void>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
  /** The state of each handler and listener. */
  receivers(): readonly ReceiverHealth[];
  health(): Promise<BusHealth>;
  /** Faults of handlers under redelivery, a sentence each. A test ends with it empty. */
  readonly violations: readonly string[];
}
