// One handler, or one group's listener of one event, as the delivery sees it. It is the same for every adapter.
import type { EventToTell, Failed, Message, NoAnswer } from './port.ts';

/**
 * A message of any type. The specific type ends where a message enters the adapter, and begins again at the handler.
 */
export type AnyMessage = Message<object>;

export interface AnyOutcome {
  readonly reply?: object;
  readonly events?: readonly EventToTell[];
  readonly refusal?: { readonly code: string; readonly facts: object };
}

/** A {@link Handler} of any request. */
export type AnyHandler = {
  (batch: readonly AnyMessage[]): Promise<readonly AnyOutcome[]>;
  max?: number;
  atOnce?: boolean;
};

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
  /** The outcomes of a second delivery. The bus also publishes their events. */
  readonly repeats?: readonly AnyOutcome[];
  /** How two deliveries differed, by the place of the message in the batch. */
  readonly faults?: readonly (string | undefined)[];
}

export interface Receiver<I extends Carried> {
  /** The receiver's name in logs and health. */
  readonly name: string;
  /** The group that owns the receiver's dead letters. */
  readonly group: string;
  /** The name of the message that the receiver handles. */
  readonly message: string;
  readonly kind: 'query' | 'command' | 'listener';
  /** The maximum number of messages in a batch. */
  readonly max: number;
  /** True when each message is handled at once, beside the others. Else one batch follows another. */
  readonly atOnce: boolean;
  key(message: AnyMessage): string;
  /**
   * Calls the handler. Resolves with undefined when the handler has committed but did not return one outcome for each
   * message.
   */
  call(items: readonly I[]): Promise<Delivered | undefined>;
  /** Returns true when no caller waits for the message any more. */
  stale(item: I): boolean;
  /** Passes on the outcome of one message. Must not throw. */
  done(item: I, index: number, delivered: Delivered): void;
  /** Called when the bus gives up on the message. Must not throw. */
  failed(item: I, error: Failed): void;
  /** Called when the bus stops before it has handled the message. Must not throw. */
  abandoned(item: I, error: NoAnswer): void;
}

/** Returns true when a handler returned one outcome for each message. */
export const fits = (outcomes: unknown, messages: readonly AnyMessage[]): outcomes is readonly AnyOutcome[] =>
  Array.isArray(outcomes) &&
  outcomes.length === messages.length &&
  outcomes.every((outcome) => typeof outcome === 'object' && outcome !== null);

/** The work of a consumer group. */
export interface GroupState {
  /** The group's name without the prefix. */
  group: string;
  /** The number of processes that share the group's work; 0 when no process runs. */
  members: number;
  /** The number of messages that the group has not done yet. */
  lag: number;
  /** The minimum time that the oldest of these messages has waited. Over Kafka it is known in steps only. */
  waitedMs: number;
}
