// Shares: read-only links to a view of the figures of an app, for people without an account.
import { instant, reader, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction, Share as ShareRow } from '@landfall/db';
import { sha256 } from '@landfall/http';
import { z } from 'zod';
import { lastUsed, latestFirst, toBytes, toHash } from '../rows.ts';
import { ShareOptions, ShareView } from './share-view.ts';

export const Share = z.object({
  id: uuid(),
  appId: uuid(),
  name: text(100),
  view: ShareView,
  options: ShareOptions,
  createdBy: uuid().nullable(),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
  version: z.int(),
});
export type Share = z.output<typeof Share>;

/** A share as viewers use it. */
export interface KnownShare extends Share {
  /** Names its password without telling it: a pass is good for this password alone. Null: there is none. */
  lock: string | null;
}

const toShare = reader(Share);
const toKnown = (row: ShareRow): KnownShare => ({
  ...toShare(row),
  lock: row.passwordHash === null ? null : sha256(row.passwordHash).slice(0, 22),
});

interface Wanted extends Pick<Share, 'id' | 'appId' | 'name' | 'view' | 'options' | 'createdBy' | 'expiresAt'> {
  hash: string;
  passwordHash: string | null;
  now: Date;
}

export type ShareChange = Partial<Pick<Wanted, 'name' | 'options' | 'expiresAt' | 'passwordHash'>>;

export function shareRepository(database: Database) {
  const { prisma } = database;
  const live = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

  return {
    /** Null: it is unknown or revoked. The caller must check its expiry. */
    async find(hash: string): Promise<KnownShare | null> {
      const row = await prisma.share.findUnique({ where: { hash: toBytes(hash), revokedAt: null } });
      return row && toKnown(row);
    },

    /** The same by its id, which opens nothing. */
    async findById(id: string): Promise<KnownShare | null> {
      const row = await prisma.share.findUnique({ where: { id, revokedAt: null } });
      return row && toKnown(row);
    },

    async passwordOf(id: string): Promise<string | null> {
      const row = await prisma.share.findUnique({ where: { id, revokedAt: null }, select: { passwordHash: true } });
      return row?.passwordHash ?? null;
    },

    /** Lists the shares of an app that were not revoked, latest first. Expired ones are among them. */
    async list(appId: string): Promise<KnownShare[]> {
      return (await prisma.share.findMany({ where: { appId, revokedAt: null }, orderBy: latestFirst() })).map(toKnown);
    },

    countLive: (tx: PrismaTransaction, appId: string, now: Date): Promise<number> =>
      tx.share.count({ where: { appId, ...live(now) } }),

    async noteUsed(uses: readonly { id: string; at: Date }[]): Promise<void> {
      await database.rows(lastUsed('shares'), [uses.map((u) => u.id), uses.map((u) => u.at)]);
    },

    async insert(tx: PrismaTransaction, { now, hash, ...share }: Wanted): Promise<KnownShare> {
      return toKnown(await tx.share.create({ data: { ...share, hash: toBytes(hash), createdAt: now } }));
    },

    /** Returns a share of the app that was not revoked, and the hash of its secret. */
    async findOf(
      tx: PrismaTransaction,
      appId: string,
      id: string,
    ): Promise<{ share: KnownShare; hash: string } | null> {
      const row = await tx.share.findUnique({ where: { id, appId, revokedAt: null } });
      return row && { share: toKnown(row), hash: toHash(row.hash) };
    },

    async change(tx: PrismaTransaction, id: string, change: ShareChange): Promise<KnownShare> {
      return toKnown(await tx.share.update({ where: { id }, data: { ...change, version: { increment: 1 } } }));
    },

    async revoke(tx: PrismaTransaction, id: string, now: Date): Promise<void> {
      await tx.share.update({ where: { id }, data: { revokedAt: now } });
    },
  };
}
