import { instant, Role, reader, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import type { Session as SessionCaller } from '../access/caller.ts';
import { toBytes } from '../rows.ts';
import { factorsOf, hasFactor } from '../second-factor/second-factor-repository.ts';

const Session = z.object({
  id: uuid(),
  userId: uuid(),
  createdAt: instant(),
  lastSeenAt: instant(),
  /** The session ends at this time at the latest, even if it is used. */
  endsAt: instant(),
  userAgent: z.string().describe('The name of the browser, e.g. `Firefox on Windows`.'),
});
export type Session = z.output<typeof Session>;
export const sessionView = Session.extend({ current: z.boolean().describe('True for the session of this request.') });

const toSession = reader(Session);

const DAY_MS = 86_400_000;
/** The time without use after which a session ends. */
const IDLE_MS = 14 * DAY_MS;
/** The longest lifetime, even with constant use. */
const MOST_MS = 90 * DAY_MS;

/** Returns the earliest last use of a live session. A session with an earlier last use has ended. */
export const liveSince = (now: Date): Date => new Date(now.getTime() - IDLE_MS);

export interface KnownSession {
  caller: SessionCaller;
  /** The session ends at this time if it is not used before. */
  idleUntil: string;
  endsAt: string;
}

const members = {
  take: 1_000,
  orderBy: { since: 'asc' },
  include: { team: { select: { needsSecondFactor: true } } },
} as const;

export function sessionRepository(database: Database) {
  const { prisma } = database;
  const live = (now: Date) => ({ endedAt: null, endsAt: { gt: now }, lastSeenAt: { gt: liveSince(now) } });

  return {
    /** Returns the session with the hash and the rights of its person, unless it was ended. It may have expired. */
    async find(hash: string): Promise<KnownSession | null> {
      const row = await prisma.session.findFirst({
        where: { hash: toBytes(hash), endedAt: null },
        include: { user: { include: { members, ...factorsOf } } },
      });
      if (!row) return null;
      const { id: sessionId, userId, user, createdAt, byProvider } = row;
      const isStrong = byProvider || hasFactor(user);
      const isClosed = ({ team }: (typeof user.members)[number]) => team.needsSecondFactor && !isStrong;
      const open = user.members.filter((member) => !isClosed(member));
      const roles = new Map(open.map(({ teamId, role }) => [teamId, Role.parse(role)]));
      const closed = new Set(user.members.filter(isClosed).map(({ teamId }) => teamId));
      const { instanceOwner } = user;
      return {
        caller: { kind: 'session', sessionId, userId, instanceOwner, roles, closed, isStrong, signedInAt: createdAt },
        idleUntil: new Date(row.lastSeenAt.getTime() + IDLE_MS).toISOString(),
        endsAt: row.endsAt.toISOString(),
      };
    },

    async list(userId: string, now: Date): Promise<Session[]> {
      const rows = await prisma.session.findMany({
        where: { userId, ...live(now) },
        orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toSession);
    },

    async insert(
      tx: PrismaTransaction,
      {
        now,
        hash,
        ...session
      }: { id: string; userId: string; hash: string; userAgent: string; byProvider?: boolean; now: Date },
    ): Promise<Session> {
      const times = { createdAt: now, lastSeenAt: now, endsAt: new Date(now.getTime() + MOST_MS) };
      return toSession(await tx.session.create({ data: { ...session, ...times, hash: toBytes(hash) } }));
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
      { userId, only, except }: { userId: string; only?: string | null; except?: string | null },
      now: Date,
    ): Promise<string[]> {
      const rows = await tx.session.updateManyAndReturn({
        where: { userId, ...live(now), ...(only && { id: only }), ...(except && { NOT: { id: except } }) },
        data: { endedAt: now },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },

    /** A time older than the stored one, or after the end of the session, changes nothing. */
    async noteUsed(uses: readonly { id: string; at: Date }[]): Promise<void> {
      await database.rows(
        `update account.sessions s set last_seen_at = u.at
         from (
           select distinct on (id) id, at, since
           from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as u(id, at, since) order by id, at desc
         ) u
         where s.id = u.id and s.last_seen_at < u.at and s.last_seen_at > u.since
           and s.ended_at is null and s.ends_at > u.at`,
        [uses.map((u) => u.id), uses.map((u) => u.at), uses.map((u) => liveSince(u.at))],
      );
    },
  };
}
