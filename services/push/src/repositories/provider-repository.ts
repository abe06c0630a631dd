// With what apps send, in PostgreSQL.
import type { JsonObject, PushCredentialFacts, PushKind, PushProvider } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction, PushProvider as Row } from '@landfall/db';

export interface ProviderKey {
  readonly appId: string;
  readonly kind: PushKind;
}

export type ProviderRepository = ReturnType<typeof providerRepository>;

export function providerRepository({ prisma }: Database) {
  return {
    async find(tx: PrismaTransaction, { appId, kind }: ProviderKey): Promise<PushProvider | null> {
      const row = await tx.pushProvider.findUnique({ where: { appId_kind: { appId, kind } } });
      return row && toProvider(row);
    },

    /** Instead of what was there. Whatever was the matter with that is forgotten. */
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

    /** False when there is none. */
    async remove(tx: PrismaTransaction, { appId, kind }: ProviderKey): Promise<boolean> {
      const { count } = await tx.pushProvider.deleteMany({ where: { appId, kind } });
      return count > 0;
    },

    /** Null when there is none. */
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

/** The providers that may be used. */
const running = { waitUntil: null, pausedAt: null, pauseReason: null };

/** Its credentials stay here. */
const toProvider = ({ kind, facts, setAt, waitUntil, pausedAt, pauseReason, version }: Row): PushProvider => ({
  kind: kind as PushKind,
  facts: facts as unknown as PushCredentialFacts,
  setAt: setAt.toISOString(),
  waitUntil: waitUntil?.toISOString() ?? null,
  pausedAt: pausedAt?.toISOString() ?? null,
  pauseReason,
  version,
});
