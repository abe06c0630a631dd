// Decides which callers may use a route of the management API. No other file decides this.
import type { IncomingHttpHeaders } from 'node:http';
import { atLeast, lesser, type Role, roleOfScope } from '@landfall/contracts';
import { ApiError, bearer, type ErrorCode, shareGiven } from '@landfall/http';
import type { Lookups } from '../lookups/lookups.ts';
import type { Caller, Guest, Session } from './caller.ts';
import { idOf, isForGuests, type Need, type Needs, type NeedsRole, needsList, type Thing } from './needs.ts';

export const notFound = {
  app: 'APP_NOT_FOUND',
  team: 'TEAM_NOT_FOUND',
  link: 'LINK_NOT_FOUND',
  notification: 'NOTIFICATION_NOT_FOUND',
} as const satisfies Record<Thing, ErrorCode>;

export interface Named {
  params: unknown;
  body: unknown;
}

/**
 * Throws 401 when the caller is not signed in and the route needs that. This check comes before all others. A route for
 * viewers of a share has the same 404 for everybody else.
 * @param headers those of the request: a token that came makes the sentence, and it never says which kind of wrong it is
 */
export function assertSignedIn(needs: Needs, caller: Caller | Guest | null, headers: IncomingHttpHeaders = {}): void {
  if (isForGuests(needs) !== (caller?.kind === 'guest')) {
    if (isForGuests(needs)) throw new ApiError('SHARE_NOT_FOUND');
    throw new Error('a guest has no role, and no route knows one');
  }
  if (caller || needsList(needs).includes('anyone')) return;
  const token = bearer(headers);
  const error = token?.startsWith('ol_')
    ? 'This is a key of an app. Send a token (lf_…) in its place: the page of your account makes one.'
    : 'This token is unknown or has ended.';
  throw new ApiError('NOT_SIGNED_IN', undefined, {
    headers: { 'WWW-Authenticate': 'Bearer' },
    ...(token !== undefined && { body: { error } }),
  });
}

/**
 * Throws 401 when nobody is signed in. Throws 404 of the thing when the caller has no role there, as if it did not
 * exist. Throws 403 when the caller may see the thing but may not do this.
 */
export async function authorise(
  needs: Needs,
  caller: Caller | Guest | null,
  named: Named,
  lookups: Lookups,
): Promise<void> {
  assertSignedIn(needs, caller);
  if (caller?.kind === 'guest') return;
  for (const need of needsList(needs))
    if (need !== 'anyone' && need !== 'guest') await assertHolds(need, caller!, named, lookups);
}

async function assertHolds(need: Exclude<Need, 'anyone' | 'guest'>, caller: Caller, named: Named, lookups: Lookups) {
  if (typeof need === 'object') return assertRole(need, caller, named, lookups);
  if (need === 'person' && caller.kind !== 'session') throw new ApiError('FORBIDDEN');
  if (need === 'operator' && caller.kind !== 'operator') throw new ApiError('FORBIDDEN');
  if (need === 'instance-owner' && !ownsInstance(caller)) throw new ApiError('FORBIDDEN');
}

async function assertRole(need: NeedsRole, caller: Caller, named: Named, lookups: Lookups): Promise<void> {
  const given = (need.in === 'body' ? named.body : named.params) as Record<string, string | undefined>;
  const id = given[idOf(need.of)];
  if (id === undefined) {
    // Only a body may omit the id. A thing without a team belongs to the operator.
    if (need.in === 'body' && caller.kind === 'operator') return;
    throw new ApiError('INVALID_REQUEST', [{ path: idOf(need.of), message: 'is required' }]);
  }
  const owned = await ownerOf(need.of, id, lookups);
  const role = owned && roleIn(caller, owned.teamId);
  if (!role) throw new ApiError(owned && isClosed(caller, owned.teamId) ? 'SECOND_FACTOR_NEEDED' : notFound[need.of]);
  const enough = need.role === 'instance-owner' ? ownsInstance(caller) : atLeast(role, need.role);
  if (!enough || excepted(need, caller)) throw new ApiError('FORBIDDEN');
}

const excepted = ({ except }: NeedsRole, { kind }: Caller): boolean =>
  (except === 'tokens' && kind === 'token') || (except !== undefined && kind === 'visitor');

/** Null: the thing does not exist. `teamId` is null when only the operator owns it. */
async function ownerOf(thing: Thing, id: string, lookups: Lookups): Promise<{ teamId: string | null } | null> {
  if (thing === 'team') return (await lookups.team(id)) && { teamId: id };
  if (thing === 'app') return lookups.app(id);
  const ofApp = await lookups[thing](id);
  return ofApp && lookups.app(ofApp.appId);
}

/** Returns the role of a caller in a team. Null: the caller has none and may not know that the team exists. */
export function roleIn(caller: Caller, teamId: string | null): Role | null {
  if (caller.kind === 'operator') return 'owner';
  if (caller.kind === 'visitor') return caller.teamId === teamId ? 'viewer' : null;
  if (caller.kind === 'token') return caller.teamId === teamId ? lesser(caller.role, roleOfScope[caller.scope]) : null;
  if (isClosed(caller, teamId)) return null;
  const own = teamId === null ? undefined : caller.roles.get(teamId);
  if (own) return own;
  // Owners of the installation see every team. They own apps without a team and may give them to one.
  if (caller.instanceOwner) return teamId === null ? 'owner' : 'viewer';
  return null;
}

/** True when the caller is in the team, and may do nothing there before they set up a second factor. */
export const isClosed = (caller: Caller, teamId: string | null): boolean =>
  caller.kind === 'session' && teamId !== null && caller.closed.has(teamId);

/** A person proves themselves again before they change how they sign in: a thief of a session cannot stay. */
const FRESH_MS = 15 * 60_000;
export const isFresh = ({ signedInAt }: Session, now: Date): boolean => now.getTime() - signedInAt.getTime() < FRESH_MS;

export const ownsInstance = (caller: Caller): boolean =>
  caller.kind === 'operator' || (caller.kind === 'session' && caller.instanceOwner);

/**
 * Throws 403 for a request that changes something and may come from another site. Such a site can make a browser send
 * our cookie. It cannot add a header of its own, and cannot hide the origin. Sign-in is checked, too: another site must
 * not sign a person in as somebody else. A bearer token, or a share, is safe: a browser never adds one by itself.
 */
export function assertSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || bearer(headers) !== undefined || shareGiven(headers)) return;
  const { origin } = headers;
  if (headers['x-landfall'] !== '1' || (origin !== undefined && origin !== publicOrigin))
    throw new ApiError('CROSS_SITE');
}
