import { type Actor, instant, lesser, Role, reader, roleOfScope, Scope, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { createdBefore, latestFirst, type Place } from '../rows.ts';
import { factorsOf, hasFactor } from '../second-factor/second-factor-repository.ts';

export const Sharing = z.enum(['off', 'members', 'admins']);

export const Team = z.object({
  id: uuid(),
  name: text(200).min(1),
  createdAt: instant(),
  version: z.int(),
  needsSecondFactor: z
    .boolean()
    .describe('True: members without a second factor can do nothing in the team. Tokens and provider sign-ins can.'),
  sharing: Sharing.describe(
    'Who may share figures with people without an account. `off`: nobody, and all shares are closed.',
  ),
});
export type Team = z.output<typeof Team>;

export const memberView = z.object({
  userId: uuid(),
  email: z.string(),
  /** True when a sign-in provider or a reset has confirmed that the member owns the email. */
  emailVerified: z.boolean().default(false),
  name: text(200),
  role: Role,
  since: instant(),
  secondFactor: z.boolean().nullable().default(null).describe('Null for callers who may not invite people.'),
});
export type Member = z.output<typeof memberView>;

export const toTeam = reader(Team);

export function teamRepository({ prisma }: Database) {
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
    async list(userId: string | null, limit: number, after: Place | null): Promise<(Team & { role: Role | null })[]> {
      const rows = await prisma.team.findMany({
        where: { ...createdBefore(after), ...(userId && { members: { some: { userId } } }) },
        include: { members: { where: { userId: userId ?? NOBODY } } },
        orderBy: latestFirst(),
        take: limit,
      });
      return rows.map((row) => ({ ...toTeam(row), role: row.members[0] ? Role.parse(row.members[0].role) : null }));
    },

    async ofPerson(userId: string): Promise<{ id: string; name: string; role: Role }[]> {
      const rows = await prisma.member.findMany({
        where: { userId },
        include: { team: true },
        orderBy: [{ since: 'asc' }, { teamId: 'asc' }],
      });
      return rows.map(({ team, role }) => ({ id: team.id, name: team.name, role: Role.parse(role) }));
    },

    async lock(tx: PrismaTransaction, id: string): Promise<Team | null> {
      await tx.$queryRaw`select 1 from account.teams where id = ${id}::uuid for update`;
      const row = await tx.team.findUnique({ where: { id } });
      return row && toTeam(row);
    },

    /** Null: the caller has no role. An app without a team belongs to the operator and instance owners. */
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

    async insert(tx: PrismaTransaction, { now, ...team }: { id: string; name: string; now: Date }): Promise<Team> {
      return toTeam(await tx.team.create({ data: { ...team, version: 1, createdAt: now } }));
    },

    async change(
      tx: PrismaTransaction,
      id: string,
      data: { [K in 'name' | 'needsSecondFactor' | 'sharing']?: Team[K] | undefined },
    ): Promise<Team> {
      const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
      return toTeam(await tx.team.update({ where: { id }, data: { ...given, version: { increment: 1 } } }));
    },

    async remove(tx: PrismaTransaction, id: string): Promise<void> {
      await tx.invitation.deleteMany({ where: { teamId: id } });
      await tx.member.deleteMany({ where: { teamId: id } });
      await tx.team.delete({ where: { id } });
    },

    async members(teamId: string, tx: PrismaTransaction = prisma): Promise<Member[]> {
      const rows = await tx.member.findMany({
        where: { teamId },
        include: { user: { include: factorsOf } },
        orderBy: [{ since: 'asc' }, { userId: 'asc' }],
      });
      return rows.map(({ user, userId, role, since }) => ({
        userId,
        email: user.email,
        emailVerified: user.emailConfirmedAt !== null,
        name: user.name,
        role: Role.parse(role),
        since: since.toISOString(),
        secondFactor: hasFactor(user),
      }));
    },

    async addMember(tx: PrismaTransaction, teamId: string, userId: string, role: Role, since: Date): Promise<void> {
      await tx.member.create({ data: { teamId, userId, role, since } });
    },
  };
}

/** An id that no user or token has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
