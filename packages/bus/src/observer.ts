// A bus reports log lines, metrics and traces. Every method returns at once and never throws.
import { InvalidInput } from './invalid-input.ts';
import { Busy, NoAnswer } from './port.ts';

type Write = (fields: object, message: string) => void;

/** The logger that the bus needs. A Pino logger fits. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

/** `refused` and `answered` are answers. The other values are rejections of {@link Bus.ask}. */
export type AskOutcome = 'answered' | 'refused' | 'invalid' | 'busy' | 'no_answer' | 'failed';

/** The result of a handler's call: committed, failed with an error that is retried, or failed for another reason. */
export type HandleOutcome = 'done' | 'retried' | 'failed';

export interface Handling {
  readonly message: string;
  /** The group that owns the work: for example `link.commands`, or the listening group. */
  readonly group: string;
  readonly kind: 'query' | 'command' | 'listener';
  readonly size: number;
}

/** Text headers that carry a trace from one process to another: W3C `traceparent`, `tracestate`. */
export type TraceHeaders = Readonly<Record<string, string>>;

export interface Observer {
  /** Reports the end of an `ask`, and its duration in milliseconds. */
  asked(message: string, outcome: AskOutcome, ms: number): void;
  /** `told`: the event is durable. Else the caller got an error, and the event is not known to be durable. */
  told(event: string, outcome: 'told' | 'invalid' | 'busy' | 'no_answer', ms: number): void;
  handled(handling: Handling, outcome: HandleOutcome, ms: number): void;
  deadLetter(group: string, message: string): void;

  /** Returns the headers of the current trace; undefined when there is none. */
  traceHeaders(): TraceHeaders | undefined;
  /** Sends a message within its own span. */
  sending<T>(message: string, kind: 'query' | 'command' | 'event', send: () => Promise<T>): Promise<T>;
  /** Calls a handler within a span that is linked to the traces of its messages. */
  handling<T>(handling: Handling, traces: readonly TraceHeaders[], handle: () => Promise<T>): Promise<T>;
}

export interface ReceiverHealth {
  /** `CreateLink` for a handler, or `analytics: LinkClicked` for a listener. */
  name: string;
  group: string;
  /** The number of messages that are known to wait. Messages in progress do not count. */
  queued: number;
  running: number;
  /** True while the receiver pauses after many dead letters in a row. */
  paused: boolean;
  /** True while the infrastructure fails and the receiver retries the same messages. */
  retrying: boolean;
  /** The number of dead letters since the start. */
  deadLetters: number;
  /** The number of queries since the start that were dropped because no caller waited any more. */
  dropped: number;
}

/** The lag of one consumer group in one topic, in the partitions of this process. */
export interface GroupLag {
  group: string;
  topic: string;
  /** The number of messages in the log that are not done. */
  messages: number;
  /** Age of the oldest of these messages in milliseconds; 0 when there is none. */
  oldestMs: number;
}

/** The state of a bus, for /readyz and /metrics. The process knows it without a request to a broker. */
export interface BusHealth {
  receivers: readonly ReceiverHealth[];
  pendingAsks: number;
  /** Sentences for an operator about faults on the way to other processes. Empty when there are no faults. */
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
    observer.asked(message, outcomeOf(error), performance.now() - started);
    throw error;
  }
}

export async function observeTell(observer: Observer, event: string, tell: () => Promise<void>): Promise<void> {
  if (observer === silent) return tell();
  const started = performance.now();
  try {
    await observer.sending(event, 'event', tell);
    observer.told(event, 'told', performance.now() - started);
  } catch (error) {
    const outcome = outcomeOf(error);
    observer.told(event, outcome === 'failed' ? 'no_answer' : outcome, performance.now() - started);
    throw error;
  }
}

function outcomeOf(error: unknown): 'invalid' | 'busy' | 'no_answer' | 'failed' {
  if (error instanceof InvalidInput) return 'invalid';
  if (error instanceof Busy) return 'busy';
  return error instanceof NoAnswer ? 'no_answer' : 'failed';
}

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
