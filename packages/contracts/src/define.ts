// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let definitions of different types stand in one list
// Defines the kinds of messages. One service answers a request (query or command). Every service may read an event.
import type { z } from 'zod';

/** Maps each refusal code to its facts. */
type Shapes = Record<string, z.ZodObject>;

/** A request to one service. */
export interface RequestDef<
  K extends 'query' | 'command' = any,
  I extends z.ZodObject = any,
  O extends z.ZodObject = any,
  R extends Shapes = any,
> {
  readonly kind: K;
  readonly name: string;
  readonly description: string;
  /** The topic of the request: `<service>.queries` or `<service>.commands`. */
  readonly topic: string;
  readonly input: I;
  readonly reply: O;
  readonly refusals: R;
  /**
   * Decides the partition: messages with the same key are handled in order. Null: the message needs no order. Those that
   * are sent together then share a partition, which costs less. A method, so that definitions of different types fit in
   * one list.
   */
  key(input: z.output<I>, id: string): string | null;
}

/** An event. It has its own topic. */
export interface EventDef<D extends z.ZodObject = any> {
  readonly name: string;
  /** Describes the event in one or two sentences, for readers who know nothing else about Landfall. */
  readonly description: string;
  /** `public`: documented for other people; changes only add to it. `internal`: keeps our own caches up to date. */
  readonly audience: 'public' | 'internal';
  readonly producer: string;
  readonly topic: string;
  readonly data: D;
  key(data: z.output<D>, id: string): string;
}

export const request = <
  const K extends 'query' | 'command',
  I extends z.ZodObject,
  O extends z.ZodObject,
  R extends Shapes,
>(
  definition: RequestDef<K, I, O, R>,
) => definition;

type Asked<I extends z.ZodObject, O extends z.ZodObject, R extends Shapes> = Omit<
  RequestDef<any, I, O, R>,
  'kind' | 'name' | 'topic' | 'refusals'
> & { readonly refusals?: R };

/** Returns what defines the queries and the commands of a service by their names. Their topics have its name. */
export function requestsOf(service: string) {
  const define =
    <K extends 'query' | 'command'>(kind: K, topic: string) =>
    <I extends z.ZodObject, O extends z.ZodObject, R extends Shapes = Record<never, never>>(
      name: string,
      asked: Asked<I, O, R>,
    ) =>
      request<K, I, O, R>({ refusals: {} as R, ...asked, name, kind, topic });
  return { query: define('query', `${service}.queries`), command: define('command', `${service}.commands`) };
}

export const event = <D extends z.ZodObject>(definition: EventDef<D>) => definition;

export function eventsOf(producer: string) {
  const define =
    (audience: EventDef['audience']) =>
    <D extends z.ZodObject>(name: string, sent: Omit<EventDef<D>, 'name' | 'audience' | 'producer'>) =>
      event<D>({ ...sent, name, audience, producer });
  return { publicEvent: define('public'), internalEvent: define('internal') };
}

export type InputOf<D extends RequestDef> = z.output<D['input']>;
export type ReplyOf<D extends RequestDef> = z.output<D['reply']>;
export type DataOf<E extends EventDef> = z.output<E['data']>;

/** A declared refusal: its code and its facts. */
export type RefusalOf<D> =
  D extends RequestDef<any, any, any, infer R>
    ? { [C in keyof R & string]: { code: C; facts: z.output<R[C]> } }[keyof R & string]
    : never;
