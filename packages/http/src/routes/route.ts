// A route as a value. The same value serves requests and makes the OpenAPI document. The gateway adds how an app is
// recognised, and the console how a person is.
// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { Answer } from '@landfall/bus';
import type { RequestDef } from '@landfall/contracts';
import type { z } from 'zod';
import type { AddressFound, ClientAddress } from '../addresses/client-address.ts';
import type { ErrorCode } from '../answers/error-table.ts';
import { ApiError } from '../answers/errors.ts';
import type { LimitName } from '../limits/limits.ts';

export interface AnyCall<B, Q, P> {
  body: B;
  query: Q;
  params: P;
  address: ClientAddress;
  addressFound(): AddressFound;
  requestId: string;
  userAgent: string;
  header(name: string): string | undefined;
  /** Returns whether the client has closed the connection, so that nobody waits for the answer. */
  hasLeft(): boolean;
}

export type Zod = z.ZodType | undefined;
export type Out<S extends Zod> = S extends z.ZodType ? z.output<S> : undefined;

export interface HeaderField {
  description: string;
  /** A regular expression of the allowed values. */
  pattern: string;
}

export interface AnyRoute<B extends Zod = any, Q extends Zod = any, P extends Zod = any, R extends z.ZodType = any> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path in the format of express: `/api/manage/apps/:appId`. */
  path: string;
  summary: string;
  limit: LimitName;
  /** The limit of the body in bytes. Defaults to 64 KB. */
  bodyBytes?: number;
  /** True when the body is a list of independent rows. The handler checks each row for faults. */
  faultsByRow?: boolean;
  body?: B;
  query?: Q;
  params?: P;
  /** Request headers that the route reads, for the OpenAPI document. */
  headers?: Record<string, HeaderField>;
  /** The body of the 200, without `success`. */
  reply: R;
  /** The error codes of the route, besides those of every route of its kind. */
  errors: readonly ErrorCode[];
  /** True for a probe with made-up headers. It records no untrusted proxies. */
  probe?: true;
}

/** A route with the name of its operation in the OpenAPI document. */
export type Named<R extends AnyRoute> = R & { readonly name: string };

/** Names each route by its key. */
export const named = <R extends AnyRoute>(routes: Readonly<Record<string, R>>): Named<R>[] =>
  Object.entries(routes).map(([name, route]) => ({ ...route, name }));

const MANAGE = '/api/manage/';

/** Paths of the management API that the specification places elsewhere. */
const MANAGED_ELSEWHERE = ['/api/push/send'] as const;
/** What viewers of a shared view ask. They are nobody's people. */
const SHARE = '/api/share';
export type ManagedPath =
  | `${typeof MANAGE}${string}`
  | `${typeof SHARE}${'' | `/${string}`}`
  | (typeof MANAGED_ELSEWHERE)[number];

export const isManagedPath = (path: string): boolean =>
  path.startsWith(MANAGE) || `${path}/`.startsWith(`${SHARE}/`) || MANAGED_ELSEWHERE.some((one) => one === path);

/** Refusals whose facts are sent to the caller. */
const SAID: ReadonlySet<ErrorCode> = new Set([
  'PUSH_TOO_LARGE',
  'PUSH_CREDENTIALS_REFUSED',
  'RANGE_TOO_LONG',
  'DIMENSION_UNKNOWN',
]);

/** Returns the reply. Throws the refusal as an error answer. */
export function orRefuse<D extends RequestDef>(answer: Answer<D>): z.output<D['reply']> {
  if (answer.ok) return answer.reply;
  const { code, facts } = answer.refusal as { code: ErrorCode; facts: { seconds?: number } };
  if (facts.seconds !== undefined)
    throw new ApiError(code, undefined, { headers: { 'Retry-After': String(facts.seconds) } });
  throw new ApiError(code, undefined, SAID.has(code) ? { body: facts } : {});
}
