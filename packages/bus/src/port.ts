// The port: how services communicate, over any adapter.
import type { DataOf, EventDef, InputOf, RefusalOf, RequestDef } from '@landfall/contracts';
import type { z } from 'zod';

/** `id` and `now` are the same on every delivery. A handler must take ids and time only from here. */
export interface Context {
  readonly id: string;
  readonly now: Date;
  /** Returns an id that follows from the message's id and the name. */
  idFor(name: string): string;
  /** Returns true when the caller has stopped waiting. Call it just before you give something away to the caller. */
  expired(): boolean;
}

export interface Message<T> {
  readonly data: T;
  readonly context: Context;
}

declare const made: unique symbol;
/** An event that a handler publishes with its reply. Only {@link told} creates it, so event and data fit. */
export interface EventToTell {
  readonly event: EventDef;
  readonly data: unknown;
  /** Undefined: the time of the message. */
  readonly at?: Date | undefined;
  readonly [made]: true;
}

/**
 * An event for an outcome's `events`. Its id follows from the message's id and the event's place in the list.
 * @param at the time of the event. A caller may send a message again days later, and the event is the same only with
 * the same time. By default, the time of the message
 */
export function told<E extends EventDef>(event: E, data: z.input<E['data']>, at?: Date): EventToTell {
  return { event, data, at } as unknown as EventToTell;
}

type Events<D extends RequestDef> = D['kind'] extends 'query'
  ? { events?: never }
  : { events?: readonly EventToTell[] };

/** A reply with its events, or a declared refusal with its facts. A handler returns its outcomes, and throws none. */
export type Outcome<D extends RequestDef> = ({ reply: z.output<D['reply']> } & Events<D>) | { refusal: RefusalOf<D> };

export type Answer<D extends RequestDef> =
  | { ok: true; reply: z.output<D['reply']> }
  | { ok: false; refusal: RefusalOf<D> };

/**
 * Takes a batch of messages and returns one outcome for each message, in the same order. A batch holds the messages
 * that gathered while the last batch ran. The handler may get any message more than once, also twice in one batch. It
 * therefore answers from rows that contain the message's id. A throw means that nothing was committed.
 */
export type Handler<D extends RequestDef> = {
  (batch: readonly Message<InputOf<D>>[]): Promise<readonly Outcome<D>[]>;
  max?: number;
  atOnce?: boolean;
};

/** Takes a batch of events. It may get any event more than once. When it returns, its work is committed. */
export type Listener<E extends EventDef> = (batch: readonly Message<DataOf<E>>[]) => Promise<void>;

export type One<D extends RequestDef> = (data: InputOf<D>, context: Context) => Promise<Outcome<D>>;

/** Handles one message. A batch holds one, so that a failing neighbour never repeats committed work. */
export function each<D extends RequestDef>(one: One<D>): Handler<D> {
  const handler: Handler<D> = async (batch) => {
    const outcomes: Outcome<D>[] = [];
    for (const message of batch) outcomes.push(await one(message.data, message.context));
    return outcomes;
  };
  handler.max = 1;
  return handler;
}

/** Handles each query at once, so that a slow one makes no other wait. The handler limits how many work at a time. */
export function eachAtOnce<D extends RequestDef & { kind: 'query' }>(one: One<D>): Handler<D> {
  return Object.assign(each(one), { atOnce: true });
}

/** Returns the messages without duplicates, by id. A batch may contain the same message more than once. */
export function distinct<T>(batch: readonly Message<T>[]): Message<T>[] {
  return [...new Map(batch.map((message) => [message.context.id, message])).values()];
}

/** The message was not sent. Nothing happened, and the caller may retry safely. */
export class Busy extends Error {
  override name = 'Busy';
}
/** No answer came in time, and the outcome is unknown. The caller retries with the same id. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}
/** The other side gave up on the message. A person must look at it. */
export class Failed extends Error {
  override name = 'Failed';
}

export interface AskOptions {
  /** Milliseconds until {@link NoAnswer}; 2,000 for a query and 5,000 for others when left out. */
  timeoutMs?: number;
  /** A UUID; random when left out. */
  id?: string;
}

export interface TellOptions extends AskOptions {
  /** The time of the event; now when left out. */
  now?: Date;
}

/** The state of a group's lag in an event, as last observed from outside the group. */
export interface Backlog {
  /** True when an event has waited for longer than the limit, in any process, or nobody knows. Reads only memory. */
  late(): boolean;
}

export interface Bus {
  /** Asks the one service that answers it for a reply or a refusal. Rejects with Busy, NoAnswer or Failed. */
  ask<D extends RequestDef>(to: D, input: z.input<D['input']>, options?: AskOptions): Promise<Answer<D>>;
  /** Publishes an event to all groups and watchers. Resolves once it is durable. Rejects with Busy or NoAnswer. */
  tell<E extends EventDef>(event: E, data: z.input<E['data']>, options?: TellOptions): Promise<void>;
  /** Registers the handler of a request, before `start`. Throws when the request already has a handler. */
  answer<D extends RequestDef>(to: D, handler: Handler<D>, options?: { max?: number }): void;
  /** Registers a listener, before `start`. A group may listen to an event only once. There is no limit to groups. */
  listen<E extends EventDef>(group: string, event: E, listener: Listener<E>, options?: { max?: number }): void;
  /**
   * Calls `seen` for every event from now on, in every process: for caches. `seen` must not throw or block. There are
   * no offsets and no dead letters: the bus calls `onGap` when events may have been missed.
   */
  watch<E extends EventDef>(event: E, seen: (data: DataOf<E>) => void, options: { onGap(): void }): void;
  /**
   * Watches whether a group keeps up with an event, also when this process does not listen to it. Register it before
   * `start`. Over Kafka, all other messages in the event's topic count, too.
   * @param options.limitMs the longest time that an event may wait, in milliseconds; noticed within half a second
   */
  backlog<E extends EventDef>(group: string, event: E, options: { limitMs: number }): Backlog;
  start(): Promise<void>;
  /** Accepts no new messages from outside, finishes the accepted messages, then resolves. */
  stop(): Promise<void>;
}
