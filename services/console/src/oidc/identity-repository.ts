import { instant } from '@landfall/contracts';
import type { Database, Identity, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { toBytes } from '../rows.ts';
import type { OidcProvider } from './provider.ts';

export const identityView = z.object({
  createdAt: instant(),
  lastUsedAt: instant(),
  name: z.string().describe('The name of the provider for people.'),
});

export const viewIdentity = ({ issuer, createdAt, lastUsedAt }: Identity, provider: OidcProvider | null) => ({
  name: provider?.settings.issuer === issuer ? provider.settings.name : new URL(issuer).host,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
});

export interface Subject {
  readonly issuer: string;
  readonly subjectHash: string;
}

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

    /** Stores the time of use, unless a later one is stored. Returns the user. Null: nobody has the identity. */
    async use(tx: PrismaTransaction, of: Subject, now: Date): Promise<string | null> {
      const found = await tx.identity.findUnique({ where: where(of) });
      if (!found) return null;
      if (found.lastUsedAt < now) await tx.identity.update({ where: where(of), data: { lastUsedAt: now } });
      return found.userId;
    },

    /** If the user has an identity of this provider, another one of the same provider is another person. */
    async has(tx: PrismaTransaction, userId: string, issuer: string): Promise<boolean> {
      return (await tx.identity.findUnique({ where: { userId_issuer: { userId, issuer } } })) !== null;
    },

    async link(tx: PrismaTransaction, { issuer, subjectHash }: Subject, userId: string, now: Date): Promise<void> {
      const data = { issuer, subjectHash: toBytes(subjectHash), userId, createdAt: now, lastUsedAt: now };
      await tx.identity.create({ data });
    },

    async ofPerson(userId: string): Promise<Identity[]> {
      return prisma.identity.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
    },
  };
}
