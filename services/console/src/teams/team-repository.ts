// Teams: their members with their roles, and their invitations.
import { type Actor, lesser, Role, roleOfScope, Scope, type Team } from '@landfall/contracts';
import type { Database, Invitation as InvitationRow, PrismaTransaction, Team as TeamRow } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { toBytes } from '../bytes.ts';
import { normalEmail } from '../people/person-repository.ts';
import type { Invitation, Member } from './team-fields.ts';

const toTeam = (row: TeamRow): Team => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
});

/** The condition for the rows after the cursor in a list, latest first. */
const before = (after: { at: Date; id: string } | null) =>
  after && { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] };

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  teamId: row.teamId,
  email: row.email,
  role: Role.parse(row.role),
  invitedBy: row.invitedBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
const open = (now: Date) => ({ closedAt: null, expiresAt: { gt: now } });

export function teamRepository({ prisma }: Database, sealer: Sealer) {
  return {
    async find(id: string): Promise<Team | null> {
      const row = await prisma.team.findUnique({ where: { id } });
      return row && toTeam(row);
    },

    /** Returns the oldest team: the team from the set-up of the instance. */
    async first(tx: PrismaTransaction): Promise<Team | null> {
      const row = await tx.team.findFirst({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
      return row && toTeam(row);
    },

    /** Lists the teams of a person with their roles, or all teams, latest first. */
    async list(
      userId: string | null,
      limit: number,
      after: { at: Date; id: string } | null,
    ): Promise<(Team & { role: Role | null })[]> {
      const rows = await prisma.team.findMany({
        where: { ...before(after), ...(userId && { members: { some: { userId } } }) },
        include: { members: { where: { userId: userId ?? NOBODY } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map((row) => ({ ...toTeam(row), role: row.members[0] ? Role.parse(row.members[0].role) : null }));
    },

    /** Lists the teams of a person, longest membership first. */
    async ofPerson(userId: string): Promise<{ id: string; name: string; role: Role }[]> {
      const rows = await prisma.member.findMany({
        where: { userId },
        include: { team: true },
        orderBy: [{ since: 'asc' }, { teamId: 'asc' }],
      });
      return rows.map(({ team, role }) => ({ id: team.id, name: team.name, role: Role.parse(role) }));
    },

    /** Locks the team. Waits for concurrent changes of the team or its members. */
    async lock(tx: PrismaTransaction, id: string): Promise<Team | null> {
      await tx.$queryRaw`select 1 from account.teams where id = ${id}::uuid for update`;
      const row = await tx.team.findUnique({ where: { id } });
      return row && toTeam(row);
    },

    /**
     * Returns the current role of the caller in a team. Null: the caller has none. An app without a team belongs to the
     * operator and instance owners.
     */
    async roleOf(tx: PrismaTransaction, { kind, userId, tokenId }: Actor, teamId: string | null, now: Date) {
      if (kind === 'operator') return 'owner';
      if (userId === null) return null;
      if (teamId === null) {
        const owner = kind === 'person' && (await tx.user.findFirst({ where: { id: userId, instanceOwner: true } }));
        return owner ? 'owner' : null;
      }
      const member = await tx.member.findUnique({ where: { teamId_userId: { teamId, userId } } });
      if (!member) return null;
      const role = Role.parse(member.role);
      if (kind === 'person') return role;
      const token = await tx.token.findFirst({ where: { id: tokenId ?? NOBODY, teamId, userId, revokedAt: null } });
      if (!token || (token.expiresAt !== null && token.expiresAt <= now)) return null;
      return lesser(role, roleOfScope[Scope.parse(token.scope)]);
    },

    async insert(tx: PrismaTransaction, team: { id: string; name: string; now: Date }): Promise<Team> {
      const { now, ...rest } = team;
      return toTeam(await tx.team.create({ data: { ...rest, version: 1, createdAt: now } }));
    },

    async countOwned(tx: PrismaTransaction, userId: string): Promise<number> {
      return tx.member.count({ where: { userId, role: 'owner' } });
    },

    async rename(tx: PrismaTransaction, id: string, name: string): Promise<Team> {
      return toTeam(await tx.team.update({ where: { id }, data: { name, version: { increment: 1 } } }));
    },

    /** Deletes the team with its members and invitations. */
    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.invitation.deleteMany({ where: { teamId: id } });
      await tx.member.deleteMany({ where: { teamId: id } });
      await tx.team.delete({ where: { id } });
    },

    /** Lists the members of a team, longest membership first. */
    async members(teamId: string, tx: PrismaTransaction = prisma): Promise<Member[]> {
      const rows = await tx.member.findMany({
        where: { teamId },
        include: { user: true },
        orderBy: [{ since: 'asc' }, { userId: 'asc' }],
      });
      return rows.map(({ user, userId, role, since }) => ({
        userId,
        email: user.email,
        emailVerified: user.emailConfirmedAt !== null,
        name: user.name,
        role: Role.parse(role),
        since: since.toISOString(),
      }));
    },

    async addMember(
      tx: PrismaTransaction,
      member: { teamId: string; userId: string; role: Role; now: Date },
    ): Promise<void> {
      const { now, ...rest } = member;
      await tx.member.create({ data: { ...rest, since: now } });
    },

    async setRole(tx: PrismaTransaction, teamId: string, userId: string, role: Role): Promise<void> {
      await tx.member.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
    },

    async removeMember(tx: PrismaTransaction, teamId: string, userId: string): Promise<void> {
      await tx.member.delete({ where: { teamId_userId: { teamId, userId } } });
    },

    /** Lists the open invitations of a team, latest first. */
    async invitations(teamId: string, now: Date): Promise<Invitation[]> {
      const rows = await prisma.invitation.findMany({
        where: { teamId, ...open(now) },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toInvitation);
    },

    /** Returns an open invitation by its code, with its team. */
    async findInvitation(
      codeHash: string,
      now: Date,
      tx: PrismaTransaction = prisma,
    ): Promise<{ invitation: Invitation; team: Team } | null> {
      const row = await tx.invitation.findFirst({
        where: { codeHash: toBytes(codeHash), ...open(now) },
        include: { team: true },
      });
      return row && { invitation: toInvitation(row), team: toTeam(row.team) };
    },

    /**
     * Returns whether there is an open invitation for the email, to any team.
     * @param email sealed
     */
    async isInvited(tx: PrismaTransaction, email: string, now: Date): Promise<boolean> {
      const where = { email: normalEmail(sealer.open('email', email)), ...open(now) };
      return (await tx.invitation.findFirst({ where, select: { id: true } })) !== null;
    },

    /** Returns whether the invitation is for the email of the person. */
    async isFor(tx: PrismaTransaction, invitationId: string, userId: string): Promise<boolean> {
      const user = await tx.user.findUnique({ where: { id: userId } });
      return user !== null && (await tx.invitation.count({ where: { id: invitationId, email: user.email } })) === 1;
    },

    /** Makes an invitation. An earlier one of the same email to the team ends. */
    async invite(
      tx: PrismaTransaction,
      invitation: {
        id: string;
        teamId: string;
        email: string;
        role: Role;
        codeHash: string;
        invitedBy: string | null;
        createdAt: Date;
        expiresAt: Date;
      },
    ): Promise<Invitation> {
      const { email, codeHash, ...rest } = invitation;
      const data = { ...rest, email: normalEmail(email), codeHash: toBytes(codeHash) };
      await tx.invitation.updateMany({
        where: { teamId: data.teamId, email: data.email, closedAt: null },
        data: { closedAt: data.createdAt },
      });
      return toInvitation(await tx.invitation.create({ data }));
    },

    /**
     * Closes an open invitation. Null: there is none.
     * @param acceptedBy the person who accepts; null: the invitation is revoked
     */
    async closeInvitation(
      tx: PrismaTransaction,
      which: { id: string; teamId: string },
      acceptedBy: string | null,
      now: Date,
    ): Promise<Invitation | null> {
      const rows = await tx.invitation.updateManyAndReturn({
        where: { ...which, ...open(now) },
        data: { closedAt: now, acceptedBy },
      });
      return rows[0] ? toInvitation(rows[0]) : null;
    },

    /** Revokes the open invitations that a member has sent for roles that they can no longer give. */
    async takeBack(
      tx: PrismaTransaction,
      from: { teamId: string; invitedBy: string; roles: readonly Role[] },
      now: Date,
    ): Promise<void> {
      const { roles, ...where } = from;
      await tx.invitation.updateMany({
        where: { ...where, role: { in: [...roles] }, closedAt: null },
        data: { closedAt: now },
      });
    },
  };
}

/** An id that no user or token has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
