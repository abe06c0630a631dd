// Reports of an adapter for metrics and traces. They do not change the bus: every method returns at once and never
// throws.
import { InvalidInput } from './invalid-input.ts';
import { Busy, Failed, NoAnswer } from './port.ts';

/** The end of an ask. `refused` and `answered` are answers; the others are the rejections of {@link Bus.ask}. */
export type AskOutcome = 'answered' | 'refused' | 'invalid' | 'busy' | 'no_answer' | 'failed';

/** The end of a handler's call: committed, tried again later, or failed for another reason. */
export type HandleOutcome = 'done' | 'retried' | 'failed';

/** One call of a handler or listener. */
export interface Handling {
  /** The message's name, `CreateLink`. */
  readonly message: string;
  /** The group that owns the work: `link.commands`, or the listening group. */
  readonly group: string;
  readonly kind: 'query' | 'command' | 'listener';
  /** Messages in the batch. */
  readonly size: number;
}

/** Text headers that carry a trace from one process to another: W3C `traceparent`, `tracestate`. */
export type TraceHeaders = Readonly<Record<string, string>>;

export interface Observer {
  /** An ask ended, after so many milliseconds. */
  asked(message: string, outcome: AskOutcome, ms: number): void;
  /** A tell ended: its event is durable, or the teller was told that it is not known to be. */
  told(event: string, outcome: 'told' | 'invalid' | 'busy' | 'no_answer', ms: number): void;
  /** A handler or listener was called and came back. */
  handled(handling: Handling, outcome: HandleOutcome, ms: number): void;
  /** A message became a dead letter of the group. */
  deadLetter(group: string, message: string): void;

  /** The headers of the trace that is under way here; undefined when there is none. */
  traceHeaders(): TraceHeaders | undefined;
  /** Runs the sending of a message within a span of its own. */
  sending<T>(message: string, kind: 'query' | 'command' | 'event', send: () => Promise<T>): Promise<T>;
  /** Calls a handler within a span that is linked to the traces of its messages. */
  handling<T>(handling: Handling, traces: readonly TraceHeaders[], handle: () => Promise<T>): Promise<T>;
}

/** The state of one handler or listener. */
export interface ReceiverHealth {
  /** `CreateLink`, or `analytics: LinkClicked` for a listener. */
  name: string;
  /** The group that owns the work. */
  group: string;
  /** Messages that are known to wait, without those being worked on. */
  queued: number;
  /** Messages that are being worked on. */
  running: number;
  /** It rests after many dead letters in a row. */
  paused: boolean;
  /** Its infrastructure fails, and it tries the same messages again until that passes. */
  retrying: boolean;
  /** Since the start. */
  deadLetters: number;
  /** Queries that were left out because nobody waited any more, since the start. */
  dropped: number;
}

/** The lag of one consumer group in one topic, in the partitions of this process. */
export interface GroupLag {
  group: string;
  topic: string;
  /** Messages that are in the log and not done. */
  messages: number;
  /** Age of the oldest of them in milliseconds; 0 when there is none. */
  oldestMs: number;
}

/** The state of a bus, for /readyz and /metrics. */
export interface BusHealth {
  receivers: readonly ReceiverHealth[];
  /** Empty in one process, where the queues are in `receivers`. */
  lag: readonly GroupLag[];
  /** Asks that wait for an answer. */
  pendingAsks: number;
  /** Sentences for an operator: what is wrong with the way to others. Empty when all is well. */
  troubles: readonly string[];
}

export const silent: Observer = {
  asked() {},
  told() {},
  handled() {},
  deadLetter() {},
  traceHeaders: () => undefined,
  sending: (_message, _kind, send) => send(),
  handling: (_handling, _traces, handle) => handle(),
};

/** Tells how an ask ended, whatever carries it. */
export async function observeAsk<T extends { ok: boolean }>(
  observer: Observer,
  message: string,
  kind: 'query' | 'command',
  ask: () => Promise<T>,
): Promise<T> {
  if (observer === silent) return ask();
  const started = performance.now();
  try {
    const answer = await observer.sending(message, kind, ask);
    observer.asked(message, answer.ok ? 'answered' : 'refused', performance.now() - started);
    return answer;
  } catch (error) {
    observer.asked(message, outcomeOf(error) ?? 'failed', performance.now() - started);
    throw error;
  }
}

/** Tells how a tell ended. */
export async function observeTell(observer: Observer, event: string, tell: () => Promise<void>): Promise<void> {
  if (observer === silent) return tell();
  const started = performance.now();
  try {
    await observer.sending(event, 'event', tell);
    observer.told(event, 'told', performance.now() - started);
  } catch (error) {
    const outcome = outcomeOf(error);
    observer.told(
      event,
      outcome === undefined || outcome === 'failed' ? 'no_answer' : outcome,
      performance.now() - started,
    );
    throw error;
  }
}

function outcomeOf(error: unknown): 'invalid' | 'busy' | 'no_answer' | 'failed' | undefined {
  if (error instanceof InvalidInput) return 'invalid';
  if (error instanceof Busy) return 'busy';
  if (error instanceof NoAnswer) return 'no_answer';
  return error instanceof Failed ? 'failed' : undefined;
}

/** Calls a handler within a span that is linked to where its messages came from. */
export function traced<T>(
  observer: Observer,
  { message, group, kind }: Pick<Handling, 'message' | 'group' | 'kind'>,
  items: readonly { readonly trace: TraceHeaders | undefined }[],
  handle: () => Promise<T>,
): Promise<T> {
  if (observer === silent) return handle();
  const traces = items.flatMap(({ trace }) => (trace === undefined ? [] : [trace]));
  return observer.handling({ message, group, kind, size: items.length }, traces, handle);
}
