// Defines a route as a value. The same value serves requests and makes the OpenAPI document.
// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Bus, DeadLetterBox, GroupState } from '@landfall/bus';
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
import type { AppChecks } from '../association/app-checks.ts';
import type { GatewayConfig } from '../config.ts';
import type { Hashes } from '../hashes.ts';
import type { ErrorCode } from '../http/error-table.ts';
import { ApiError, refusal } from '../http/errors.ts';
import { strict } from '../http/strict.ts';
import type { LimitName } from '../limits/limits.ts';
import type { WorkGate } from '../limits/work-gate.ts';
import type { LiveFeeds } from '../live/live.ts';
import type { Streams } from '../live/streams.ts';
import type { KnownKey, Lookups } from '../lookups/lookups.ts';
import type { OidcProvider } from '../oidc/provider.ts';
import type { Opens } from '../sending/opens.ts';
import type { RestoreReleases } from '../sending/restore-releases.ts';
import { omitEmpty } from './empty-fields.ts';

/**
 * The SDK key that a call needs. `key`: the key of an app. `server-key`: the key of a backend. `any-key`: either.
 * `optional-key`: either is used, and an invalid one is ignored.
 */
export type Auth = 'none' | 'optional-key' | 'key' | 'server-key' | 'any-key';

/** The parts of the gateway that routes may use. */
export interface GatewayParts {
  bus: Bus;
  lookups: Lookups;
  hashes: Hashes;
  hosts: Hosts;
  /** Seals personal data that people enter, and opens their emails in replies. */
  sealer: Sealer;
  cookies: Cookies;
  /** The OpenID Connect provider. Null when there is none. */
  provider: OidcProvider | null;
  identities: Identities;
  /** Limits work that needs a password hash. */
  signIns: SignInGate;
  /** Bounds other work that everyone may start. */
  work: WorkGate;
  config: GatewayConfig;
  log: Logger;
  restoreReleases: RestoreReleases;
  opens: Opens;
  /** Counts a restore by its match. `none` when no link was given. */
  restored(match: MatchType | 'none'): void;
  /** Counts a check of the association files of an app. */
  associationChecked(failing: boolean): void;
  /** The checks of association files that people start. */
  checks: AppChecks;
  self: Self;
  live: LiveFeeds;
  deadLetters: DeadLetterBox;
  /** Returns the state of every consumer group. Rejects when the brokers do not answer. */
  groups(): Promise<GroupState[]>;
  streams: Streams;
  now(): Date;
}

/** The parts that one route uses. A test of the route needs no others. */
export type Uses<K extends keyof GatewayParts> = Pick<GatewayParts, K>;

/** Facts of a gateway about itself. */
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
  /** Returns the steps that led to the address. */
  addressFound(): AddressFound;
  /** Returns the country of the address as two letters, or null when it is unknown. */
  country(): string | null;
  requestId: string;
  userAgent: string;
  header(name: string): string | undefined;
  /** Returns whether the client has closed the connection, so that nobody waits for the answer. */
  hasLeft(): boolean;
}

export interface Call<A extends Auth, B, Q, P> extends AnyCall<B, Q, P> {
  /** The caller's key with its app. Null only when a key is optional. */
  key: A extends 'none' ? null : A extends 'optional-key' ? KnownKey | null : KnownKey;
}

export interface ManageCall<N extends Needs, B, Q, P> extends AnyCall<B, Q, P> {
  caller: CallerOf<N>;
  /** Returns the caller as the actor of commands. Throws on a route that needs no sign-in. */
  actor(): Actor;
  headers: IncomingHttpHeaders;
  /** Sets a header of the answer, if the route succeeds. A header that is set twice is sent twice. */
  setHeader(name: string, value: string | string[]): void;
}

type Zod = z.ZodType | undefined;
type Out<S extends Zod> = S extends z.ZodType ? z.output<S> : undefined;

export interface HeaderField {
  description: string;
  /** A regular expression of the allowed values. */
  pattern: string;
}

interface AnyRoute<B extends Zod, Q extends Zod, P extends Zod, R extends z.ZodType> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The name of the operation in the OpenAPI document. */
  name: string;
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

/** A route for apps. Its `auth` names the key that it needs. */
export interface SdkRoute<
  A extends Auth = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  /** The path in the format of express. */
  path: string;
  /** The section of the specification. */
  spec?: string;
  auth: A;
  /** The limit for a server key. It replaces `limit` and counts by the key, not by the address. */
  serverLimit?: LimitName;
  handle(call: Call<A, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

/** The beginning of every path of the management API. */
export const MANAGE = '/api/manage/';

/**
 * Paths that the specification places elsewhere. They belong to the management API and serve the same callers in the
 * same way.
 */
const MANAGED_ELSEWHERE = ['/api/push/send'] as const;
type ManagedPath = `${typeof MANAGE}${string}` | (typeof MANAGED_ELSEWHERE)[number];

export const isManagedPath = (path: string): boolean =>
  path.startsWith(MANAGE) || MANAGED_ELSEWHERE.some((one) => one === path);

/**
 * A route of the management API. Its `needs` name the callers that it serves. `authorise.ts` checks them before the
 * handler runs.
 */
export interface ManageRoute<
  N extends Needs = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  /** The path in the format of express: `/api/manage/apps/:appId`. */
  path: ManagedPath;
  needs: N;
  /** Media types of a reply that is a download and not JSON. */
  downloads?: readonly string[];
  /** True when its reply is a redirect. */
  redirects?: true;
  handle(call: ManageCall<N, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

export type Route = SdkRoute | ManageRoute;

export const isManage = (route: Route): route is ManageRoute => 'needs' in route;

/**
 * Defines a route for apps. Types follow from the schemas. A path of the management API does not compile. In optional
 * fields, `null` and `""` count as omitted.
 */
export const route = <
  const A extends Auth,
  const S extends string,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  definition: SdkRoute<A, B, Q, P, R> & { path: S extends ManagedPath ? never : S },
): SdkRoute<A, B, Q, P, R> => ({
  ...definition,
  ...(definition.body && { body: omitEmpty(definition.body) }),
  ...(definition.query && { query: omitEmpty(definition.query, 'query') }),
});

/** Defines a route of the management API. Types follow from the schemas and the needs. Its body becomes strict. */
export const manageRoute = <
  const N extends Needs,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  definition: Omit<ManageRoute<N, B, Q, P, R>, 'limit'> & { limit?: LimitName },
): ManageRoute<N, B, Q, P, R> => ({
  limit: 'manage',
  ...definition,
  ...(definition.body && { body: strict(definition.body) }),
});

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
  throw SAID.has(code) ? new ApiError(code, undefined, { body: facts }) : refusal({ code });
}
