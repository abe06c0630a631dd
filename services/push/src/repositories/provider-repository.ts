// The credentials that apps send with, in PostgreSQL.
import { type JsonObject, type PushCredentialFacts, type PushKind, PushProvider, reader } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction } from '@landfall/db';

export interface ProviderKey {
  readonly appId: string;
  readonly kind: PushKind;
}

export function providerRepository({ prisma }: Database) {
  return {
    async find(tx: PrismaTransaction, { appId, kind }: ProviderKey): Promise<PushProvider | null> {
      const row = await tx.pushProvider.findUnique({ where: { appId_kind: { appId, kind } } });
      return row && toProvider(row);
    },

    /** Replaces the stored credentials. Clears the wait and the pause of the old credentials. */
    async set(
      tx: PrismaTransaction,
      { appId, kind }: ProviderKey,
      { credentials, facts, at }: { credentials: string; facts: PushCredentialFacts; at: Date },
    ): Promise<PushProvider> {
      const set = { credentials, facts: facts as JsonObject as Prisma.InputJsonObject, setAt: at };
      const row = await tx.pushProvider.upsert({
        where: { appId_kind: { appId, kind } },
        create: { appId, kind, version: 1, ...set },
        update: { version: { increment: 1 }, ...set, ...running },
      });
      return toProvider(row);
    },

    /** Removes the credentials. Returns false when there are none. */
    async remove(tx: PrismaTransaction, { appId, kind }: ProviderKey): Promise<boolean> {
      const { count } = await tx.pushProvider.deleteMany({ where: { appId, kind } });
      return count > 0;
    },

    /** Clears the wait and the pause. Returns null when the app has no such credentials. */
    async resume(tx: PrismaTransaction, { appId, kind }: ProviderKey): Promise<PushProvider | null> {
      const [row] = await tx.pushProvider.updateManyAndReturn({
        where: { appId, kind },
        data: { version: { increment: 1 }, ...running },
      });
      return row ? toProvider(row) : null;
    },

    async list(appId: string): Promise<PushProvider[]> {
      const rows = await prisma.pushProvider.findMany({ where: { appId }, orderBy: { kind: 'desc' } });
      return rows.map(toProvider);
    },
  };
}

/** The values that clear the wait and the pause. */
const running = { waitUntil: null, pausedAt: null, pauseReason: null };

/** Returns the provider without its credentials. */
const toProvider = reader(PushProvider);
