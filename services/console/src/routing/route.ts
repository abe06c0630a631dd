// biome-ignore-all lint/suspicious/noExplicitAny: the defaults let routes of different types stand in one table
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '@landfall/contracts';
import type { SdkRoute } from '@landfall/gateway';
import {
  type AnyCall,
  type AnyRoute,
  type ErrorCode,
  type LimitName,
  type ManagedPath,
  type Out,
  strict,
  type Zod,
} from '@landfall/http';
import { z } from 'zod';
import type { CallerOf, Needs } from '../access/needs.ts';
import type { Change, Changing } from '../changes/change.ts';
import type { ConsoleParts } from '../parts.ts';
import { id } from '../routes/manage-fields.ts';

export interface ManageCall<N extends Needs, B, Q, P> extends AnyCall<B, Q, P> {
  caller: CallerOf<N>;
  /** Runs a change that the caller asks for. Throws on a route that needs no sign-in. */
  change<D>(command: string, decide: (changing: Changing) => Promise<Change<D>>): Promise<D>;
  /** Returns the caller as the actor of commands. Throws on a route that needs no sign-in. */
  actor(): Actor;
  headers: IncomingHttpHeaders;
  /** Sets a header of the answer, if the route succeeds. A header that is set twice is sent twice. */
  setHeader(name: string, value: string | string[]): void;
}

/** Who changes a thing of an app, for a command to another service. The audit log of the team gets the entry. */
export const byOf = async (
  { actor, params: { appId } }: Pick<ManageCall<Needs, unknown, unknown, { appId: string }>, 'actor' | 'params'>,
  { lookups }: Pick<ConsoleParts, 'lookups'>,
) => ({ actor: actor(), teamId: (await lookups.existingApp(appId)).teamId });

/** `authorise.ts` checks that its `needs` allow the caller, before the handler runs. */
export interface ManageRoute<
  N extends Needs = any,
  B extends Zod = any,
  Q extends Zod = any,
  P extends Zod = any,
  R extends z.ZodType = any,
> extends AnyRoute<B, Q, P, R> {
  path: ManagedPath;
  needs: N;
  /** Media types of a reply that is a download and not JSON. */
  downloads?: readonly string[];
  redirects?: true;
  handle(call: ManageCall<N, Out<B>, Out<Q>, Out<P>>, parts: ConsoleParts): Promise<z.input<R>>;
}

export type Route = SdkRoute | ManageRoute;

export const isManage = <R extends Route>(route: R): route is R & ManageRoute => 'needs' in route;

/** The names of the ids in a path: `appId` and `keyId` of `/apps/:appId/keys/:keyId`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type IdsOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? undefined
  : z.ZodObject<Record<NamesIn<Path>, ReturnType<typeof id>>>;

/**
 * What the path names are ids, unless `params` says otherwise. Its body becomes strict. `errors` are those besides the
 * errors of every route.
 */
export function manageRoute<
  const Path extends ManagedPath,
  const N extends Needs,
  R extends z.ZodType,
  B extends Zod = undefined,
  Q extends Zod = undefined,
  P extends Zod = IdsOf<Path>,
>(
  served: `${ManageRoute['method']} ${Path}`,
  definition: Omit<ManageRoute<N, B, Q, P, R>, 'method' | 'path' | 'limit' | 'errors'> & {
    limit?: LimitName;
    errors?: readonly ErrorCode[];
  },
): ManageRoute<N, B, Q, P, R> {
  const [method, path] = served.split(' ') as [ManageRoute['method'], Path];
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, id()]);
  return {
    method,
    path,
    limit: 'manage',
    errors: [],
    ...(ids.length > 0 && { params: z.object(Object.fromEntries(ids)) as unknown as P }),
    ...definition,
    ...(definition.body && { body: strict(definition.body) }),
  };
}
