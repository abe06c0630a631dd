// The routes for apps and backends, and the parts of the gateway that they may use.
// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { Bus } from '@landfall/bus';
import type { MatchType } from '@landfall/contracts';
import type {
  AnyCall,
  AnyRoute,
  ErrorCode,
  Hashes,
  Hosts,
  LimitName,
  ManagedPath,
  Out,
  WorkGate,
  Zod,
} from '@landfall/http';
import type { Logger, Sealer } from '@landfall/runtime';
import type { z } from 'zod';
import type { ClientCalls } from '../access/client-calls.ts';
import type { Identities } from '../access/identity.ts';
import type { GatewayConfig } from '../config.ts';
import type { CallingKey, Lookups } from '../lookups/lookups.ts';
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
  /** Seals personal data of visitors. */
  sealer: Sealer;
  identities: Identities;
  /** Bounds work that everyone may start. */
  work: WorkGate;
  config: GatewayConfig;
  log: Logger;
  restoreReleases: RestoreReleases;
  opens: Opens;
  clientCalls: ClientCalls;
  /** Counts a restore by its match. `none` when no link was given. */
  restored(match: MatchType | 'none'): void;
  now(): Date;
}

/** The parts that one route uses. A test of the route needs no others. */
export type Uses<K extends keyof GatewayParts> = Pick<GatewayParts, K>;

export interface Call<A extends Auth, B, Q, P> extends AnyCall<B, Q, P> {
  /** The caller's key with its app. Null only when a key is optional. */
  key: A extends 'none' ? null : A extends 'optional-key' ? CallingKey | null : CallingKey;
  /** Returns the country of the address as two letters, or null when it is unknown. */
  country(): string | null;
}

/** A route for apps. Its `auth` names the key that it needs. */
export interface SdkRoute<
  A extends Auth = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  /** The section of the specification. */
  spec?: string;
  auth: A;
  /** The limit for a server key. It replaces `limit` and counts by the key, not by the address. */
  serverLimit?: LimitName;
  handle(call: Call<A, Out<B>, Out<Q>, Out<P>>, parts: GatewayParts): Promise<z.input<R>>;
}

/**
 * Defines a route for apps by its method and path. Types follow from the schemas. A path of the management API does not
 * compile. In optional fields, `null` and `""` count as omitted. `errors` are those besides the errors of every route.
 */
export function route<
  const A extends Auth,
  const Path extends string,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = undefined,
>(
  served: Path extends ManagedPath ? never : `${SdkRoute['method']} ${Path}`,
  definition: Omit<SdkRoute<A, B, Q, P, R>, 'method' | 'path' | 'errors'> & { errors?: readonly ErrorCode[] },
): SdkRoute<A, B, Q, P, R> {
  const [method, path] = (served as string).split(' ') as [SdkRoute['method'], string];
  return {
    method,
    path,
    errors: [],
    ...definition,
    ...(definition.body && { body: omitEmpty(definition.body) }),
    ...(definition.query && { query: omitEmpty(definition.query, 'query') }),
  };
}
