// Decides who may change whose role in a team. The members are as they are under the lock of the team.
import type { Actor, Role } from '@landfall/contracts';
import { has } from './rights.ts';

export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/** The operator stands above all teams. A token decides nothing about people, whoever's it is. */
export type Deciding = Pick<Actor, 'kind' | 'userId'>;

type Without = 'TEAM_NOT_FOUND' | 'FORBIDDEN';
export type Refused = Without | 'MEMBER_NOT_FOUND' | 'LAST_OWNER';

/**
 * The reason against an action that needs a role in the team; null when there is none. A stranger does not learn that
 * the team exists.
 */
export function refuseWithout(members: readonly Membership[], actor: Deciding, needed: Role): Without | null {
  const own = roleOf(members, actor);
  if (own === null) return 'TEAM_NOT_FOUND';
  return has(own, needed) ? null : 'FORBIDDEN';
}

/** The reason against inviting somebody as `role`. Admins invite up to their own role. */
export function refuseInvitation(members: readonly Membership[], actor: Deciding, role: Role): Without | null {
  return refuseWithout(members, actor, 'admin') ?? refuseWithout(members, actor, role);
}

/** The reason against giving `userId` the role. */
export function refuseRole(
  members: readonly Membership[],
  actor: Deciding,
  userId: string,
  role: Role,
): Refused | null {
  const refused = refuseWithout(members, actor, 'admin');
  if (refused) return refused;
  const member = members.find((one) => one.userId === userId);
  if (!member) return 'MEMBER_NOT_FOUND';
  // Nobody gives more than they have, and nobody takes from who has more.
  const above = refuseWithout(members, actor, role) ?? refuseWithout(members, actor, member.role);
  if (above) return above;
  return role !== 'owner' && isLastOwner(members, userId) ? 'LAST_OWNER' : null;
}

/** The reason against removing `userId` from the team. Everybody may leave. */
export function refuseRemoval(members: readonly Membership[], actor: Deciding, userId: string): Refused | null {
  const leaves = actor.kind === 'person' && actor.userId === userId;
  const refused = refuseWithout(members, actor, leaves ? 'viewer' : 'admin');
  if (refused) return refused;
  const member = members.find((one) => one.userId === userId);
  if (!member) return 'MEMBER_NOT_FOUND';
  const above = leaves ? null : refuseWithout(members, actor, member.role);
  if (above) return above;
  return isLastOwner(members, userId) ? 'LAST_OWNER' : null;
}

export function roleOf(members: readonly Membership[], actor: Deciding): Role | null {
  if (actor.kind === 'operator') return 'owner';
  const role = members.find(({ userId }) => userId === actor.userId)?.role ?? null;
  return actor.kind === 'token' && role !== null ? 'viewer' : role;
}

function isLastOwner(members: readonly Membership[], userId: string): boolean {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]!.userId === userId;
}
