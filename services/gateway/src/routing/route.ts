// A route as a value: what serves a request and what the OpenAPI document says are the same thing.
// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Bus } from '@landfall/bus';
import type { Actor, MatchType, RequestDef } from '@landfall/contracts';
import type { Logger, Sealer } from '@landfall/runtime';
import type { z } from 'zod';
import type { Cookies } from '../access/cookies.ts';
import type { Identities } from '../access/identity.ts';
import type { CallerOf, Needs } from '../access/needs.ts';
import type { SignInGate } from '../access/sign-in-gate.ts';
import type { AddressFound, ClientAddress } from '../addresses/client-address.ts';
import type { Hosts } from '../addresses/hosts.ts';
import type { Seen } from '../addresses/people-addresses.ts';
import type { GatewayConfig } from '../config.ts';
import type { Hashes } from '../hashes.ts';
import { ApiError, type ErrorCode, refusal } from '../http/errors.ts';
import { strict } from '../http/strict.ts';
import type { LimitName } from '../limits/limits.ts';
import type { KnownKey, Lookups } from '../lookups/lookups.ts';
import type { Provider } from '../oidc/provider.ts';
import type { LostRestores } from '../sending/lost-restores.ts';
import type { Opens } from '../sending/opens.ts';

/**
 * The SDK key that a call needs. `key`: the key of an app. `server-key`: the key of a backend. `any-key`: either.
 * `optional-key`: either is noticed, an invalid one is ignored.
 */
export type Auth = 'none' | 'optional-key' | 'key' | 'server-key' | 'any-key';

/** The parts that routes use. */
export interface GatewayParts {
  bus: Bus;
  lookups: Lookups;
  hashes: Hashes;
  hosts: Hosts;
  /** Seals what people give us, and opens their emails in replies. */
  sealer: Sealer;
  cookies: Cookies;
  /** Of OpenID Connect; null where there is none. */
  provider: Provider | null;
  identities: Identities;
  /** Requests that hash a password pass through it. */
  signIns: SignInGate;
  config: GatewayConfig;
  log: Logger;
  lostRestores: LostRestores;
  opens: Opens;
  /** Counts a restore by what it was matched by; `none` when nothing was given. */
  restored(match: MatchType | 'none'): void;
  self: Self;
  now(): Date;
}

/** The gateway's own state. */
export interface Self {
  instance: string;
  limitsIn(): 'memory' | 'redis';
  seen(): { people: Seen; untrustedProxies: string[] };
}

interface AnyCall<B, Q, P> {
  body: B;
  query: Q;
  params: P;
  address: ClientAddress;
  /** The way in which that address was found. */
  addressFound(): AddressFound;
  requestId: string;
  userAgent: string;
  header(name: string): string | undefined;
}

export interface Call<A extends Auth, B, Q, P> extends AnyCall<B, Q, P> {
  /** The caller's key with its app; null only where a key is optional. */
  key: A extends 'none' ? null : A extends 'optional-key' ? KnownKey | null : KnownKey;
}

export interface ManageCall<N extends Needs, B, Q, P> extends AnyCall<B, Q, P> {
  caller: CallerOf<N>;
  /** The caller, as commands name them. Throws where nobody has to be signed in. */
  actor(): Actor;
  headers: IncomingHttpHeaders;
  /** Of the answer, if the route succeeds. One that is set twice is sent twice. */
  setHeader(name: string, value: string | string[]): void;
}

type Zod = z.ZodType | undefined;
type Out<S extends Zod> = S extends z.ZodType ? z.output<S> : undefined;

export interface HeaderField {
  description: string;
  /** A regular expression of what it may hold. */
  pattern: string;
}

interface AnyRoute<B extends Zod, Q extends Zod, P extends Zod, R extends z.ZodType> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Names the operation in the OpenAPI document. */
  name: string;
  summary: string;
  limit: LimitName;
  /** Of the body, in bytes: 64 KB when left out. */
  bodyBytes?: number;
  body?: B;
  query?: Q;
  params?: P;
  /** Request headers that it reads, for the OpenAPI document. */
  headers?: Record<string, HeaderField>;
  /** The body of the 200, without `success`. */
  reply: R;
  /** The codes it may answer with, besides those that every route of its kind has. */
  errors: readonly ErrorCode[];
  /** Asked with made-up headers, to see what becomes of them: says nothing about proxies. */
  probe?: true;
}

/** A route for apps: whose key it needs is its `auth`. */
export interface SdkRoute<
  A extends Auth = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  /** Express's form. */
  path: string;
  tag: 'links' | 'deferred deep linking' | 'push';
  /** The section of the specification it implements. */
  spec?: string;
  auth: A;
  /** Counted for a server key instead of `limit`, by the key instead of the address. */
  serverLimit?: LimitName;
  /** The body is a list whose rows stand for themselves: what is unfit to be passed on in one of them is the handler's to find. */
  faultsByRow?: boolean;
  handle(call: Call<A, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

/** The start of the path of every route of the management API. */
export const MANAGE = '/api/manage/';

/** A route outside of that path that belongs to the management API: the same callers, the same rules. */
const MANAGED_ELSEWHERE = ['/api/push/send'] as const;
type ManagedPath = `${typeof MANAGE}${string}` | (typeof MANAGED_ELSEWHERE)[number];

export const isManagedPath = (path: string): boolean =>
  path.startsWith(MANAGE) || MANAGED_ELSEWHERE.some((one) => one === path);

/** A route of the management API: whom it serves is its `needs`, and `authorise.ts` sees to it before it is handled. */
export interface ManageRoute<
  N extends Needs = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  /** Express's form: `/api/manage/apps/:appId`. */
  path: ManagedPath;
  tag: 'manage' | 'push';
  needs: N;
  /** The media types of a download, if the reply is not JSON. */
  downloads?: readonly string[];
  /** Its reply sends a browser on. */
  redirects?: true;
  handle(call: ManageCall<N, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

export type Route = SdkRoute | ManageRoute;

export const isManage = (route: Route): route is ManageRoute => 'needs' in route;

/** Defines a route for apps; types follow from the schemas. A path of the management API does not compile. */
export const route = <
  const A extends Auth,
  const S extends string,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  definition: SdkRoute<A, B, Q, P, R> & { path: S extends ManagedPath ? never : S },
): SdkRoute<A, B, Q, P, R> => definition;

/** Defines a route of the management API; types follow from the schemas and from what it needs. Its body is made strict. */
export const manageRoute = <
  const N extends Needs,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  definition: Omit<ManageRoute<N, B, Q, P, R>, 'tag' | 'limit'> & { tag?: 'push'; limit?: LimitName },
): ManageRoute<N, B, Q, P, R> => ({
  tag: 'manage',
  limit: 'manage',
  ...definition,
  ...(definition.body && { body: strict(definition.body) }),
});

/** Refusals whose facts are for whoever asked. */
const SAID: ReadonlySet<ErrorCode> = new Set(['PUSH_TOO_LARGE', 'PUSH_CREDENTIALS_REFUSED']);

/** The reply, or the refusal as an error answer. */
export function orRefuse<D extends RequestDef>(answer: Answer<D>): z.output<D['reply']> {
  if (answer.ok) return answer.reply;
  const { code, facts } = answer.refusal as { code: ErrorCode; facts: { seconds?: number } };
  if (facts.seconds !== undefined)
    throw new ApiError(code, undefined, { headers: { 'Retry-After': String(facts.seconds) } });
  throw SAID.has(code) ? new ApiError(code, undefined, { body: facts }) : refusal({ code });
}
