// Identities: the people whom a provider of OpenID Connect vouches for.
import type { Identity } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { toBytes } from '../bytes.ts';
import type { Transaction } from './change-repository.ts';

/** The person of a provider's identity. */
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
    /** Notes that it is used, and gives whose it is; null: nobody's. An older time than the one stored changes nothing. */
    async use(tx: Transaction, of: Subject, now: Date): Promise<string | null> {
      const found = await tx.identity.findUnique({ where: where(of) });
      if (!found) return null;
      if (found.lastUsedAt < now) await tx.identity.update({ where: where(of), data: { lastUsedAt: now } });
      return found.userId;
    },

    /** True when the provider means another person. */
    async has(tx: Transaction, userId: string, issuer: string): Promise<boolean> {
      return (await tx.identity.findUnique({ where: { userId_issuer: { userId, issuer } } })) !== null;
    },

    async link(tx: Transaction, { issuer, subjectHash }: Subject, userId: string, now: Date): Promise<void> {
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

    /** None of them opens anything any more. */
    async forget(tx: Transaction, userId: string): Promise<void> {
      await tx.identity.deleteMany({ where: { userId } });
    },
  };
}
