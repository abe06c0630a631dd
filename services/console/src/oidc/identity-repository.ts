// Identities: the people whose identity an OpenID Connect provider confirms.
import type { Identity } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { toBytes } from '../bytes.ts';

/** A person as the provider identifies them. */
export interface Subject {
  readonly issuer: string;
  readonly subjectHash: string;
}

export type IdentityRepository = ReturnType<typeof identityRepository>;

export function identityRepository({ prisma }: Database) {
  const where = ({ issuer, subjectHash }: Subject) => ({
    issuer_subjectHash: { issuer, subjectHash: toBytes(subjectHash) },
  });

  return {
    /** Prevents other transactions from signing this identity in until this one ends. */
    async lock(tx: PrismaTransaction, { issuer, subjectHash }: Subject): Promise<void> {
      const key = `identity ${subjectHash} ${issuer}`;
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
    },

    /**
     * Stores the time of use and returns the user of the identity. Null: no user has it. A time older than the stored
     * one changes nothing.
     */
    async use(tx: PrismaTransaction, of: Subject, now: Date): Promise<string | null> {
      const found = await tx.identity.findUnique({ where: where(of) });
      if (!found) return null;
      if (found.lastUsedAt < now) await tx.identity.update({ where: where(of), data: { lastUsedAt: now } });
      return found.userId;
    },

    /**
     * Returns whether the user has an identity of this provider. If so, another identity of the same provider is
     * another person.
     */
    async has(tx: PrismaTransaction, userId: string, issuer: string): Promise<boolean> {
      return (await tx.identity.findUnique({ where: { userId_issuer: { userId, issuer } } })) !== null;
    },

    async link(tx: PrismaTransaction, { issuer, subjectHash }: Subject, userId: string, now: Date): Promise<void> {
      const data = { issuer, subjectHash: toBytes(subjectHash), userId, createdAt: now, lastUsedAt: now };
      await tx.identity.create({ data });
    },

    async ofPerson(userId: string): Promise<Identity[]> {
      const rows = await prisma.identity.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
      return rows.map(({ issuer, createdAt, lastUsedAt }) => ({
        issuer,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
      }));
    },

    /** Deletes all identities of the user, so that none can sign in any more. */
    async forget(tx: PrismaTransaction, userId: string): Promise<void> {
      await tx.identity.deleteMany({ where: { userId } });
    },
  };
}
