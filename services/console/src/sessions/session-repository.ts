// Sessions: the browsers in which a person is signed in.
import { Role, type Session } from '@landfall/contracts';
import type { Database, PrismaTransaction, Session as SessionRow } from '@landfall/db';
import { toBytes } from '../bytes.ts';
import { endsAt, idleUntil, liveSince } from './session-times.ts';

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  userAgent: row.userAgent,
});

/** A session with the rights of its person. */
export interface KnownSession {
  sessionId: string;
  userId: string;
  instanceOwner: boolean;
  memberships: { teamId: string; role: Role }[];
  /** The session ends at this time if it is not used before. */
  idleUntil: string;
  endsAt: string;
}

/** The maximum number of teams in a {@link KnownSession}. */
const MAX_MEMBERSHIPS = 1_000;

export type SessionRepository = ReturnType<typeof sessionRepository>;

export function sessionRepository(database: Database) {
  const { prisma } = database;
  /** The condition for a session that has neither ended nor expired. */
  const live = (now: Date) => ({ endedAt: null, endsAt: { gt: now }, lastSeenAt: { gt: liveSince(now) } });

  return {
    /** Returns the session with the hash and the rights of its person, unless it was ended. It may have expired. */
    async find(hash: string): Promise<KnownSession | null> {
      const row = await prisma.session.findFirst({
        where: { hash: toBytes(hash), endedAt: null },
        include: { user: { include: { members: { take: MAX_MEMBERSHIPS, orderBy: { since: 'asc' } } } } },
      });
      return (
        row && {
          sessionId: row.id,
          userId: row.userId,
          instanceOwner: row.user.instanceOwner,
          memberships: row.user.members.map(({ teamId, role }) => ({ teamId, role: Role.parse(role) })),
          idleUntil: idleUntil(row.lastSeenAt).toISOString(),
          endsAt: row.endsAt.toISOString(),
        }
      );
    },

    /** Returns whether there was ever a session with the id. */
    async exists(tx: PrismaTransaction, id: string): Promise<boolean> {
      return (await tx.session.findUnique({ where: { id }, select: { id: true } })) !== null;
    },

    /** Lists live sessions, last used first. */
    async list(userId: string, now: Date): Promise<Session[]> {
      const rows = await prisma.session.findMany({
        where: { userId, ...live(now) },
        orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toSession);
    },

    async insert(
      tx: PrismaTransaction,
      session: { id: string; userId: string; hash: string; userAgent: string; now: Date },
    ): Promise<Session> {
      const { now, hash, ...rest } = session;
      const times = { createdAt: now, lastSeenAt: now, endsAt: endsAt(now) };
      return toSession(await tx.session.create({ data: { ...rest, ...times, hash: toBytes(hash) } }));
    },

    /** Ends the session with the hash, and returns its user. Null: the session has already ended or does not exist. */
    async endByHash(tx: PrismaTransaction, hash: string, now: Date): Promise<string | null> {
      const where = { hash: toBytes(hash), endedAt: null };
      const [ended] = await tx.session.updateManyAndReturn({ where, data: { endedAt: now }, select: { userId: true } });
      return ended?.userId ?? null;
    },

    /** Ends live sessions of a person: all, one, or all but one. Returns their ids. */
    async end(
      tx: PrismaTransaction,
      of: { userId: string; only?: string | null; except?: string | null },
      now: Date,
    ): Promise<string[]> {
      const { userId, only, except } = of;
      const rows = await tx.session.updateManyAndReturn({
        where: { userId, ...live(now), ...(only && { id: only }), ...(except && { NOT: { id: except } }) },
        data: { endedAt: now },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },

    /**
     * Stores when sessions were last used. A time older than the stored one, or after the end of the session, changes
     * nothing.
     */
    async noteUsed(uses: readonly { id: string; at: Date; liveSince: Date }[]): Promise<void> {
      await database.rows(
        `update account.sessions s set last_seen_at = u.at
         from (
           select distinct on (id) id, at, since
           from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as u(id, at, since) order by id, at desc
         ) u
         where s.id = u.id and s.last_seen_at < u.at and s.last_seen_at > u.since
           and s.ended_at is null and s.ends_at > u.at`,
        [uses.map((u) => u.id), uses.map((u) => u.at), uses.map((u) => u.liveSince)],
      );
    },
  };
}
