// Decides who may change a role in a team.
import { type Actor, atLeast, type Role, roles } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Changing } from '../changes/change.ts';
import type { Member, Team } from './team-repository.ts';

export type Membership = Pick<Member, 'userId' | 'role'>;

/** The operator has rights above all teams. A token may not change people's roles, whoever owns it. */
export type Deciding = Pick<Actor, 'kind' | 'userId'>;

/** The members do not change until the change is done. */
export async function lockTeam({ tx, account }: Changing, teamId: string): Promise<{ team: Team; members: Member[] }> {
  const team = await account.teams.lock(tx, teamId);
  if (!team) throw new ApiError('TEAM_NOT_FOUND');
  return { team, members: await account.teams.members(teamId, tx) };
}

/** A person outside the team does not learn that it exists. */
export function assertRole(members: readonly Membership[], actor: Deciding, needed: Role): void {
  const own = roleOf(members, actor);
  if (own === null) throw new ApiError('TEAM_NOT_FOUND');
  if (!atLeast(own, needed)) throw new ApiError('FORBIDDEN');
}

/** Admins may invite with roles up to their own. */
export function assertMayInvite(members: readonly Membership[], actor: Deciding, role: Role): void {
  assertRole(members, actor, 'admin');
  assertRole(members, actor, role);
}

/** Returns the member. Nobody may give a role above their own, or change a member with a higher role. */
export function assertMayGive<M extends Membership>(
  members: readonly M[],
  actor: Deciding,
  userId: string,
  role: Role,
): M {
  assertRole(members, actor, 'admin');
  const member = memberOf(members, userId);
  assertRole(members, actor, role);
  assertRole(members, actor, member.role);
  if (role !== 'owner') assertNotLastOwner(members, userId);
  return member;
}

/** Returns the member. Every member may leave, except the last owner. */
export function assertMayRemove<M extends Membership>(members: readonly M[], actor: Deciding, userId: string): M {
  const leaves = actor.kind === 'person' && actor.userId === userId;
  assertRole(members, actor, leaves ? 'viewer' : 'admin');
  const member = memberOf(members, userId);
  if (!leaves) assertRole(members, actor, member.role);
  assertNotLastOwner(members, userId);
  return member;
}

/** Returns the roles that a member with this role cannot give. Null: the member has left the team. */
export const noLongerGiven = (role: Role | null): Role[] =>
  roles.filter((one) => role === null || !atLeast(role, 'admin') || !atLeast(role, one));

function roleOf(members: readonly Membership[], actor: Deciding): Role | null {
  if (actor.kind === 'operator') return 'owner';
  const role = members.find(({ userId }) => userId === actor.userId)?.role ?? null;
  return actor.kind === 'token' && role !== null ? 'viewer' : role;
}

function memberOf<M extends Membership>(members: readonly M[], userId: string): M {
  const member = members.find((one) => one.userId === userId);
  if (!member) throw new ApiError('MEMBER_NOT_FOUND');
  return member;
}

function assertNotLastOwner(members: readonly Membership[], userId: string): void {
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.length === 1 && owners[0]!.userId === userId) throw new ApiError('LAST_OWNER');
}
