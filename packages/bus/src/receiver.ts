// One handler, or one group's listener of one event, as the delivery sees it. It is the same for every adapter.
import type { Failed, Message, NoAnswer, Told } from './port.ts';

/**
 * A message of any type. The specific type ends where a message enters the adapter, and begins again at the handler.
 */
export type AnyMessage = Message<object>;

export interface AnyOutcome {
  readonly reply?: object;
  readonly events?: readonly Told[];
  readonly refusal?: { readonly code: string; readonly facts: object };
}

/** A {@link Handler} of any request. */
export type AnyHandler = { (batch: readonly AnyMessage[]): Promise<readonly AnyOutcome[]>; max?: number };

/** A listener of any event, and a watcher. */
export type AnyListener = (batch: readonly AnyMessage[]) => Promise<void>;
export type Watcher = (data: object) => void;

/**
 * Calls a handler. Resolves with its outcomes, or with none for a listener. Resolves with undefined when the number of
 * outcomes was wrong; the handler has committed by then.
 */
export type Call = (messages: readonly AnyMessage[]) => Promise<readonly AnyOutcome[] | undefined>;

/** A message on its way to one receiver, with the data that the adapter keeps about it. */
export interface Carried {
  readonly message: AnyMessage;
}

/** The result of a batch. The outcomes of a listener are empty. */
export interface Delivered {
  readonly outcomes: readonly AnyOutcome[];
  /** The outcomes of a second delivery, whose events are told too. */
  readonly repeats?: readonly AnyOutcome[];
  /** By place in the batch: how two deliveries differed. */
  readonly faults?: readonly (string | undefined)[];
}

export interface Receiver<I extends Carried> {
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
  call(items: readonly I[]): Promise<Delivered | undefined>;
  /** True when nobody waits for it any more. */
  stale(item: I): boolean;
  /** Hands out what came of one message. Must not throw. */
  done(item: I, index: number, delivered: Delivered): void;
  /** The bus gave up on it. Must not throw. */
  failed(item: I, error: Failed): void;
  /** The bus stops and has not done it. Must not throw. */
  abandoned(item: I, error: NoAnswer): void;
}

/** Returns true when a handler returned one outcome for each message. */
export const fits = (outcomes: unknown, messages: readonly AnyMessage[]): outcomes is readonly AnyOutcome[] =>
  Array.isArray(outcomes) &&
  outcomes.length === messages.length &&
  outcomes.every((outcome) => typeof outcome === 'object' && outcome !== null);
