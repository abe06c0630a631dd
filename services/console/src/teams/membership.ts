// Decides who may change a role in a team. The caller holds the lock of the team, so its members do not change.
import type { Actor, Role } from '@landfall/contracts';
import { has } from '../domain/rights.ts';

export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/**
 * The caller of an action. The operator has rights above all teams. A token may not change people's roles, whoever owns
 * the token.
 */
export type Deciding = Pick<Actor, 'kind' | 'userId'>;

type Without = 'TEAM_NOT_FOUND' | 'FORBIDDEN';
export type Refused = Without | 'MEMBER_NOT_FOUND' | 'LAST_OWNER';

/**
 * Returns the reason to refuse an action that needs a role in the team. Null: it is allowed. A person outside the team
 * does not learn that the team exists.
 */
export function refuseWithout(members: readonly Membership[], actor: Deciding, needed: Role): Without | null {
  const own = roleOf(members, actor);
  if (own === null) return 'TEAM_NOT_FOUND';
  return has(own, needed) ? null : 'FORBIDDEN';
}

/**
 * Returns the reason to refuse an invitation with the role `role`. Null: it is allowed. Admins may invite with roles up
 * to their own.
 */
export function refuseInvitation(members: readonly Membership[], actor: Deciding, role: Role): Without | null {
  return refuseWithout(members, actor, 'admin') ?? refuseWithout(members, actor, role);
}

/** Returns the reason to refuse to give `userId` the role. Null: it is allowed. */
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
  // A caller may not give a role above their own, and may not change a member with a higher role.
  const above = refuseWithout(members, actor, role) ?? refuseWithout(members, actor, member.role);
  if (above) return above;
  return role !== 'owner' && isLastOwner(members, userId) ? 'LAST_OWNER' : null;
}

/**
 * Returns the reason to refuse to remove `userId` from the team. Null: it is allowed. Every member may leave, except
 * the last owner.
 */
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
