// The port: how services speak to each other, whatever carries it.
import type { DataOf, EventDef, InputOf, RefusalOf, RequestDef } from '@landfall/contracts';
import type { z } from 'zod';

/** The facts of a message besides its data. A handler has no other source of ids or time. */
export interface Context {
  /** The message's id: the same on every delivery. */
  readonly id: string;
  /** The message's time: the same on every delivery. */
  readonly now: Date;
  /** An id derived from the message's: the same for the same name on every delivery. */
  idFor(name: string): string;
  /** Returns true when the asker has stopped waiting. Call it just before something is given away to the asker. */
  expired(): boolean;
}

export interface Message<T> {
  readonly data: T;
  readonly context: Context;
}

declare const made: unique symbol;
/** An event that a handler tells with its reply. Only {@link told} makes one, so that event and data belong together. */
export interface Told {
  readonly event: EventDef;
  readonly data: unknown;
  readonly [made]: true;
}

/** An event for an outcome's `events`. Its id follows from the message's id and its place in the list. */
export function told<E extends EventDef>(event: E, data: z.input<E['data']>): Told {
  return { event, data } as unknown as Told;
}

type Events<D extends RequestDef> = D['kind'] extends 'query' ? { events?: never } : { events?: readonly Told[] };

/** The outcome of one message: a reply with its events, or a declared refusal with its facts. Never a throw. */
export type Outcome<D extends RequestDef> = ({ reply: z.output<D['reply']> } & Events<D>) | { refusal: RefusalOf<D> };

/** The answer to the asker. */
export type Answer<D extends RequestDef> =
  | { ok: true; reply: z.output<D['reply']> }
  | { ok: false; refusal: RefusalOf<D> };

/**
 * Many messages in, one outcome for each in the same order. Called with what has gathered while its last batch ran.
 * May get any message more than once, also twice in one batch: it answers from rows that name the message.
 * A throw means that nothing was committed.
 */
export type Handler<D extends RequestDef> = {
  (batch: readonly Message<InputOf<D>>[]): Promise<readonly Outcome<D>[]>;
  max?: number;
};

/** Gets events, any of them more than once. Returning means that what it had to do is committed. */
export type Listener<E extends EventDef> = (batch: readonly Message<DataOf<E>>[]) => Promise<void>;

/** A handler of one message, which {@link each} lifts. */
export type One<D extends RequestDef> = (data: InputOf<D>, context: Context) => Promise<Outcome<D>>;

/** Lifts a handler of one message. Its batches hold one, so that a failing neighbour never redoes committed work. */
export function each<D extends RequestDef>(one: One<D>): Handler<D> {
  const handler: Handler<D> = async (batch) => {
    const outcomes: Outcome<D>[] = [];
    for (const message of batch) outcomes.push(await one(message.data, message.context));
    return outcomes;
  };
  handler.max = 1;
  return handler;
}

/** The messages of a batch by their id: the same one may come more than once. */
export function distinct<T>(batch: readonly Message<T>[]): Message<T>[] {
  return [...new Map(batch.map((message) => [message.context.id, message])).values()];
}

/** Not sent: nothing happened, safe to repeat. */
export class Busy extends Error {
  override name = 'Busy';
}
/** No answer in time: the outcome is unknown. Repeat with the same id. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}
/** The other side gave up on it; somebody must look. */
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
  /** When it happened; now when left out. */
  now?: Date;
  /** Milliseconds until {@link NoAnswer}; 5,000 when left out. It may still arrive. */
  timeoutMs?: number;
}

/** The state of a group's lag in an event, as last seen from outside the group. */
export interface Backlog {
  /**
   * Returns true when an event has waited for the group for longer than the limit, in any process. Also true while
   * nobody can tell. It reads memory: it waits for nothing, and asks nobody.
   */
  late(): boolean;
}

export interface Bus {
  /** Asks the one service that answers. Resolves with a reply or a refusal; rejects with Busy, NoAnswer or Failed. */
  ask<D extends RequestDef>(to: D, input: z.input<D['input']>, options?: AskOptions): Promise<Answer<D>>;
  /** Tells everyone. Resolves once it is durable; rejects with Busy or NoAnswer. */
  tell<E extends EventDef>(event: E, data: z.input<E['data']>, options?: TellOptions): Promise<void>;
  /** Registers the handler of a request before `start`. A second one for the same request throws. */
  answer<D extends RequestDef>(to: D, handler: Handler<D>, options?: { max?: number }): void;
  /** Registers a listener before `start`: once per group and event, any number of groups. */
  listen<E extends EventDef>(group: string, event: E, listener: Listener<E>, options?: { max?: number }): void;
  /**
   * Sees every event from now on, in every process: for caches. It must not throw or block. There are no offsets and no
   * dead letters; `onGap` is called when events may have been missed.
   */
  watch<E extends EventDef>(event: E, seen: (data: DataOf<E>) => void, options: { onGap(): void }): void;
  /**
   * Watches whether a group keeps up with an event, from the start on. Registered before `start`, in any process: it need not
   * listen itself. Over Kafka everything else in the event's topic counts, too.
   * @param options.limitMs how long an event may wait, in milliseconds; it is noticed within half a second
   */
  backlog<E extends EventDef>(group: string, event: E, options: { limitMs: number }): Backlog;
  start(): Promise<void>;
  /** Takes nothing more from outside, finishes what was taken, then resolves. */
  stop(): Promise<void>;
}
