// One handler, or one group's listener of one event, as the queue and the delivery see it.
import type { Failed, Message, Told } from '../port.ts';
import type { Wait } from './wait.ts';

/** Types end where a message enters and begin again where it is handed over; between, every message is just one. */
export type AnyMessage = Message<object>;

export interface AnyOutcome {
  readonly reply?: object;
  readonly events?: readonly Told[];
  readonly refusal?: { readonly code: string; readonly facts: object };
}

/** Calls a handler: its outcomes, none for a listener; undefined when their number was wrong, after the commit. */
export type Call = (messages: readonly AnyMessage[]) => Promise<readonly AnyOutcome[] | undefined>;

/** A message on its way to one receiver. */
export interface Item {
  readonly message: AnyMessage;
  readonly wait: Wait;
  /** Counts for the queue's bound; events of a commit do not. */
  readonly outside: boolean;
}

/** What came of a batch. The outcomes of a listener are empty. */
export interface Delivered {
  readonly outcomes: readonly AnyOutcome[];
  /** The outcomes of a second delivery, whose events are told too. */
  readonly repeats?: readonly AnyOutcome[];
  /** By place in the batch: how two deliveries differed. */
  readonly faults?: readonly (string | undefined)[];
}

export interface Receiver {
  /** For logs and health. */
  readonly name: string;
  /** The owner of its dead letters. */
  readonly group: string;
  /** The name of its message. */
  readonly message: string;
  readonly kind: 'query' | 'command' | 'listener';
  /** The largest batch. */
  readonly max: number;
  key(message: AnyMessage): string;
  /** Calls the handler. Undefined: it did not return one outcome for each, after it had committed. */
  call(messages: readonly AnyMessage[]): Promise<Delivered | undefined>;
  /** Hands out what came of one message. Must not throw. */
  done(item: Item, index: number, delivered: Delivered): void;
  /** The bus gave up on it. Must not throw. */
  failed(item: Item, error: Failed): void;
}
