// One handler, or one group's listener of one event, as the delivery sees it. It is the same for every adapter.
import type { EventDef, RequestDef } from '@landfall/contracts';
import { type Log, type Observer, type TraceHeaders, traced } from './observer.ts';
import type { EventToTell, Failed, Message, NoAnswer } from './port.ts';

/** A message of any type. It has its own type until it enters the adapter, and again in the handler. */
export type AnyMessage = Message<object>;

export interface AnyOutcome {
  readonly reply?: object;
  readonly events?: readonly EventToTell[];
  readonly refusal?: { readonly code: string; readonly facts: object };
}

export type AnyHandler = {
  (batch: readonly AnyMessage[]): Promise<readonly AnyOutcome[]>;
  max?: number;
  atOnce?: boolean;
};

/** Milliseconds until {@link NoAnswer}, unless the caller says otherwise. */
export const askMsOf = ({ kind }: RequestDef): number => (kind === 'query' ? 2_000 : 5_000);
export const TELL_MS = 5_000;

export type AnyListener = (batch: readonly AnyMessage[]) => Promise<void>;
export type Watcher = (data: object) => void;

export const guarded =
  (seen: Watcher, message: string, log: Log): Watcher =>
  (data) => {
    try {
      seen(data);
    } catch (error) {
      log.error({ err: error, message }, 'a watcher of events failed');
    }
  };

/** A message on its way to one receiver, with the data that the adapter keeps about it. */
export interface Carried {
  readonly message: AnyMessage;
  readonly trace: TraceHeaders | undefined;
}

export interface Receiver<I extends Carried> {
  readonly name: string;
  /** The group that owns the receiver's dead letters. */
  readonly group: string;
  readonly message: string;
  readonly kind: 'query' | 'command' | 'listener';
  readonly max: number;
  /** True when each message is handled at once, beside the others. Else one batch follows another. */
  readonly atOnce: boolean;
  key(message: AnyMessage): string;
  /** Resolves with undefined when the handler has committed, but did not return one outcome for each message. */
  call(items: readonly I[]): Promise<readonly AnyOutcome[] | undefined>;
  /** Returns true when no caller waits for the message any more. */
  stale(item: I): boolean;
  /** Passes on the outcome of one message; undefined for a listener. Must not throw. */
  done(item: I, outcome: AnyOutcome | undefined): void;
  /** Called when the bus gives up on the message. Must not throw. */
  failed(item: I, error: Failed): void;
  /** Called when the bus stops before it has handled the message. Must not throw. */
  abandoned(item: I, error: NoAnswer): void;
}

/** The parts of a receiver that do not depend on the adapter. */
type Common = Omit<Receiver<Carried>, 'stale' | 'done' | 'failed' | 'abandoned'>;

/** The topic of a request is its group. */
export function handlerReceiver(
  to: RequestDef,
  handler: AnyHandler,
  max: number,
  observer: Observer,
  log: Log,
): Common {
  const about = { name: to.name, group: to.topic, message: to.name, kind: to.kind };
  return {
    ...about,
    max: Math.max(1, Math.min(max, handler.max ?? max)),
    atOnce: handler.atOnce ?? false,
    key: ({ data, context }) => to.key(data, context.id) ?? '',
    async call(items) {
      const messages = items.map(({ message }) => message);
      const outcomes = await traced(observer, about, items, () => handler(messages));
      if (fits(outcomes, messages)) return outcomes;
      log.error(
        { message: to.name, got: (outcomes as unknown[] | undefined)?.length, of: messages.length },
        'a handler returned the wrong number of results: the whole batch fails, without a retry',
      );
      return undefined;
    },
  };
}

const fits = (outcomes: unknown, messages: readonly AnyMessage[]): outcomes is readonly AnyOutcome[] =>
  Array.isArray(outcomes) &&
  outcomes.length === messages.length &&
  outcomes.every((outcome) => typeof outcome === 'object' && outcome !== null);

export function listenerReceiver(
  group: string,
  event: EventDef,
  listener: AnyListener,
  max: number,
  observer: Observer,
): Common {
  const about = { name: `${group}: ${event.name}`, group, message: event.name, kind: 'listener' as const };
  return {
    ...about,
    max,
    atOnce: false,
    key: ({ data, context }) => event.key(data, context.id),
    async call(items) {
      await traced(observer, about, items, () => listener(items.map(({ message }) => message)));
      return [];
    },
  };
}

export interface GroupState {
  group: string;
  /** The number of processes that share the group's work; 0 when no process runs. */
  members: number;
  lag: number;
  /** The minimum time that the oldest of these messages has waited. Over Kafka it is known in steps only. */
  waitedMs: number;
}
