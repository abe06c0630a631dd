// A route as a value: what serves a request and what the OpenAPI document says are the same thing.
// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { Answer, Bus } from '@landfall/bus';
import type { RequestDef } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';
import type { ClientAddress } from './client-address.ts';
import type { GatewayConfig } from './config.ts';
import { type ErrorCode, refusal } from './errors.ts';
import type { Hashes } from './hashes.ts';
import type { Hosts } from './hosts.ts';
import type { LimitName } from './limits/limits.ts';
import type { KnownKey, Lookups } from './lookups/lookups.ts';
import type { Opens } from './opens.ts';

/** Who may call. `optional-key`: a valid key is noticed, an invalid one ignored. `owner`: the management token. */
export type Auth = 'none' | 'optional-key' | 'key' | 'owner';

/** What routes may use. */
export interface GatewayParts {
  bus: Bus;
  lookups: Lookups;
  hashes: Hashes;
  hosts: Hosts;
  config: GatewayConfig;
  log: Logger;
  opens: Opens;
  now(): Date;
}

export interface Call<A extends Auth, B, Q, P> {
  body: B;
  query: Q;
  params: P;
  /** The caller's key with its app; null only where a key is optional. */
  key: A extends 'key' ? KnownKey : A extends 'optional-key' ? KnownKey | null : null;
  address: ClientAddress;
  requestId: string;
  userAgent: string;
  header(name: string): string | undefined;
}

type Zod = z.ZodType | undefined;
type Out<S extends Zod> = S extends z.ZodType ? z.output<S> : undefined;

export interface Route<
  A extends Auth = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Express's form: `/api/manage/apps/:id`. */
  path: string;
  /** Names the operation in the OpenAPI document. */
  name: string;
  tag: 'links' | 'deferred deep linking' | 'manage';
  summary: string;
  /** The section of the specification it implements. */
  spec?: string;
  auth: A;
  limit: LimitName;
  body?: B;
  query?: Q;
  params?: P;
  /** Request headers that it reads, with what they mean. */
  headers?: Record<string, string>;
  /** The body of the 200, without `success`. */
  reply: R;
  /** The codes it may answer with, besides those that every route of its kind has. */
  errors: readonly ErrorCode[];
  handle(call: Call<A, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

/** Defines a route; types follow from the schemas. */
export const route = <
  const A extends Auth,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  definition: Route<A, B, Q, P, R>,
): Route<A, B, Q, P, R> => definition;

/** The reply, or the refusal as an error answer. */
export function orRefuse<D extends RequestDef>(answer: Answer<D>): z.output<D['reply']> {
  if (answer.ok) return answer.reply;
  throw refusal(answer.refusal as { code: ErrorCode });
}
