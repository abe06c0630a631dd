// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let definitions of different types stand in one list
// What a message is: a request (query or command) is answered by exactly one service, an event is told to anyone.
import type { z } from 'zod';

/** Refusal code to the facts that travel with it. */
type Shapes = Record<string, z.ZodObject>;

/**
 * A request to one service. `key` decides the partition: what must be done in order has the same key.
 * It is a method, so that definitions of different types can stand in one list.
 */
export interface RequestDef<
  K extends 'query' | 'command' = any,
  I extends z.ZodObject = any,
  O extends z.ZodObject = any,
  R extends Shapes = any,
> {
  readonly kind: K;
  readonly name: string;
  /** What it is for, in a sentence. */
  readonly description: string;
  /** The topic that carries it: `<service>.queries` or `<service>.commands`. */
  readonly topic: string;
  readonly input: I;
  readonly reply: O;
  readonly refusals: R;
  key(input: z.output<I>, id: string): string;
}

/** Something that happened, in a topic of its own. */
export interface EventDef<D extends z.ZodObject = any> {
  readonly name: string;
  /** What happened, in a sentence or two, for people who know nothing of us but this. */
  readonly description: string;
  /** `public`: documented for other people, and additive for ever. `internal`: it keeps our own copies fresh. */
  readonly audience: 'public' | 'internal';
  /** The service that tells it. */
  readonly producer: string;
  readonly topic: string;
  readonly data: D;
  key(data: z.output<D>, id: string): string;
}

/** Defines a query or a command; types follow from the schemas. */
export const request = <
  const K extends 'query' | 'command',
  I extends z.ZodObject,
  O extends z.ZodObject,
  R extends Shapes,
>(
  definition: RequestDef<K, I, O, R>,
) => definition;

/** Defines an event. */
export const event = <D extends z.ZodObject>(definition: EventDef<D>) => definition;

export type InputOf<D extends RequestDef> = z.output<D['input']>;
export type ReplyOf<D extends RequestDef> = z.output<D['reply']>;
export type DataOf<E extends EventDef> = z.output<E['data']>;

/** A declared "no": its code and the facts that travel with it. */
export type RefusalOf<D> =
  D extends RequestDef<any, any, any, infer R>
    ? { [C in keyof R & string]: { code: C; facts: z.output<R[C]> } }[keyof R & string]
    : never;
