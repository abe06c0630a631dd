// What the in-process bus is given and what it can do besides the port.
import type { RequestDef } from '@landfall/contracts';
import type { DeadLetterSink } from '../dead-letter.ts';
import type { Log } from '../log.ts';
import type { BusHealth, Observer, ReceiverHealth } from '../observer.ts';
import type { Bus } from '../port.ts';

/**
 * How messages are delivered once more, in tests: `doubled` twice in one batch; `again` a second time before anything
 * else of that handler; `recorded` once more when the test calls `replay`. Queries are never redelivered.
 */
export type Redelivery = 'none' | 'doubled' | 'again' | 'recorded';

export interface InProcessOptions {
  log: Log;
  observer?: Observer;
  /** Where dead letters go. Without it they are only logged. */
  deadLetters?: DeadLetterSink;
  /** Whether a handler's error is the infrastructure's, to be tried again until it passes. Busy and NoAnswer always are. */
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
  /** How often a message that its handler throws on is tried alone, 3 when left out. */
  attempts?: number;
  /** Requests that must have a handler, or `start` rejects. */
  expects?: readonly RequestDef[];
}

export interface InProcessBus extends Bus {
  /** Mode `recorded`: delivers every command that was answered in time and not refused, and every event, once more, in order. */
  replay(): Promise<void>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
  /** How each handler and listener is doing. */
  receivers(): readonly ReceiverHealth[];
  health(): Promise<BusHealth>;
  /** What handlers did wrong under redelivery, a sentence each. A test ends with it empty. */
  readonly violations: readonly string[];
}
