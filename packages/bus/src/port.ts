// The port: how services communicate, over any adapter.
import type { DataOf, EventDef, InputOf, RefusalOf, RequestDef } from '@landfall/contracts';
import type { z } from 'zod';

/** The facts of a message besides its data. A handler must take ids and time only from here. */
export interface Context {
  /** The message's id. It is the same on every delivery. */
  readonly id: string;
  /** The message's time. It is the same on every delivery. */
  readonly now: Date;
  /** Returns an id that is derived from the message's id. The same name gives the same id on every delivery. */
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
  readonly [made]: true;
}

/**
 * Returns an event for an outcome's `events`. The event's id follows from the message's id and the event's place in the
 * list.
 */
export function told<E extends EventDef>(event: E, data: z.input<E['data']>): EventToTell {
  return { event, data } as unknown as EventToTell;
}

type Events<D extends RequestDef> = D['kind'] extends 'query'
  ? { events?: never }
  : { events?: readonly EventToTell[] };

/**
 * The outcome of one message: a reply with its events, or a declared refusal with its facts. A handler returns its
 * outcomes and does not throw them.
 */
export type Outcome<D extends RequestDef> = ({ reply: z.output<D['reply']> } & Events<D>) | { refusal: RefusalOf<D> };

/** The answer to the caller. */
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

/** A handler of one message. {@link each} turns it into a {@link Handler}. */
export type One<D extends RequestDef> = (data: InputOf<D>, context: Context) => Promise<Outcome<D>>;

/**
 * Turns a handler of one message into a {@link Handler}. Its batches hold one message, so that a failing neighbour
 * never repeats committed work.
 */
export function each<D extends RequestDef>(one: One<D>): Handler<D> {
  const handler: Handler<D> = async (batch) => {
    const outcomes: Outcome<D>[] = [];
    for (const message of batch) outcomes.push(await one(message.data, message.context));
    return outcomes;
  };
  handler.max = 1;
  return handler;
}

/**
 * Turns a handler of one query into a {@link Handler} that runs at once for each message, beside the others, so that a
 * slow query makes no other wait. The handler itself limits how many work at the same time.
 */
export function eachAtOnce<D extends RequestDef & { kind: 'query' }>(one: One<D>): Handler<D> {
  return Object.assign(each(one), { atOnce: true });
}

/** Returns the messages of a batch without duplicates, by id. A batch may contain the same message more than once. */
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
  /** Milliseconds until {@link NoAnswer}; 5,000 for a command and 2,000 for a query when left out. */
  timeoutMs?: number;
  /** The message's id, a UUID; random when left out. */
  id?: string;
}

export interface TellOptions {
  /** The event's id, a UUID; random when left out. */
  id?: string;
  /** The time of the event; now when left out. */
  now?: Date;
  /** Milliseconds until {@link NoAnswer}; 5,000 when left out. The event may still arrive after that. */
  timeoutMs?: number;
}

/** The state of a group's lag in an event, as last observed from outside the group. */
export interface Backlog {
  /**
   * Returns true when an event has waited for the group for longer than the limit, in any process. Also returns true
   * while the state is unknown. Reads only memory: it does not wait and sends no request.
   */
  late(): boolean;
}

export interface Bus {
  /**
   * Sends a request to the one service that answers it. Resolves with a reply or a refusal. Rejects with Busy, NoAnswer
   * or Failed.
   */
  ask<D extends RequestDef>(to: D, input: z.input<D['input']>, options?: AskOptions): Promise<Answer<D>>;
  /**
   * Publishes an event to all groups and watchers. Resolves once the event is durable. Rejects with Busy or NoAnswer.
   */
  tell<E extends EventDef>(event: E, data: z.input<E['data']>, options?: TellOptions): Promise<void>;
  /** Registers the handler of a request, before `start`. Throws when the request already has a handler. */
  answer<D extends RequestDef>(to: D, handler: Handler<D>, options?: { max?: number }): void;
  /**
   * Registers a listener, before `start`. A group may listen to an event only once. The number of groups is not
   * limited.
   */
  listen<E extends EventDef>(group: string, event: E, listener: Listener<E>, options?: { max?: number }): void;
  /**
   * Calls `seen` for every event from now on, in every process. It is meant for caches. `seen` must not throw or block.
   * Watchers have no offsets and no dead letters. The bus calls `onGap` when events may have been missed.
   */
  watch<E extends EventDef>(event: E, seen: (data: DataOf<E>) => void, options: { onGap(): void }): void;
  /**
   * Watches whether a group keeps up with an event, from the start on. Register it before `start`, in any process. This
   * process need not listen to the event. Over Kafka, all other messages in the event's topic count, too.
   * @param options.limitMs the longest time that an event may wait, in milliseconds; the watch notices a longer wait
   * within half a second
   */
  backlog<E extends EventDef>(group: string, event: E, options: { limitMs: number }): Backlog;
  start(): Promise<void>;
  /** Accepts no new messages from outside, finishes the accepted messages, then resolves. */
  stop(): Promise<void>;
}
