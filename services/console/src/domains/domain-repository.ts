// Custom domains. Every app may claim a domain. It is served to the app that proves its ownership.
import { domainName, instant, reader, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';

export const Domain = z.object({
  id: uuid(),
  appId: uuid(),
  domain: domainName(),
  /** The TXT record `_landfall.<domain>` is `landfall-verify=` and this value, which everybody can read in DNS. */
  token: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits'),
  createdAt: instant(),
  /** Null: the domain is not verified, and nothing is served there. */
  verifiedAt: instant().nullable(),
});
export type Domain = z.output<typeof Domain>;

const toDomain = reader(Domain);

export function domainRepository({ prisma }: Database) {
  return {
    /** Lists the domains of an app by name. Null: there is no such app. */
    async list(appId: string): Promise<Domain[] | null> {
      const app = await prisma.app.findUnique({
        where: { id: appId },
        include: { domains: { orderBy: { domain: 'asc' } } },
      });
      return app?.domains.map(toDomain) ?? null;
    },

    /** Lists domains that were added since and are not verified, the latest first, at most `limit`. */
    async unverified(since: Date, limit: number): Promise<Domain[]> {
      const rows = await prisma.domain.findMany({
        where: { verifiedAt: null, createdAt: { gte: since }, app: { archivedAt: null } },
        orderBy: { createdAt: 'desc' },
        take: limit,
      });
      return rows.map(toDomain);
    },

    async ofApp(tx: PrismaTransaction, appId: string): Promise<Domain[]> {
      return (await tx.domain.findMany({ where: { appId } })).map(toDomain);
    },

    async findOf(tx: PrismaTransaction, appId: string, id: string): Promise<Domain | null> {
      const row = await tx.domain.findFirst({ where: { id, appId } });
      return row && toDomain(row);
    },

    async insert(
      tx: PrismaTransaction,
      { now, ...domain }: Pick<Domain, 'id' | 'appId' | 'domain' | 'token'> & { now: Date },
    ): Promise<Domain> {
      return toDomain(await tx.domain.create({ data: { ...domain, createdAt: now } }));
    },

    /** Null: the domain belongs to another app, possibly because of a concurrent request. */
    async verify(tx: PrismaTransaction, { id, appId, domain: host }: Domain, now: Date): Promise<Domain | null> {
      await tx.host.createMany({ data: [{ host, appId }], skipDuplicates: true });
      const owner = await tx.host.findUnique({ where: { host } });
      if (owner?.appId !== appId) return null;
      return toDomain(await tx.domain.update({ where: { id }, data: { verifiedAt: now } }));
    },

    async remove(tx: PrismaTransaction, { id, appId, domain: host }: Domain): Promise<void> {
      await tx.host.deleteMany({ where: { host, appId } });
      await tx.domain.delete({ where: { id } });
    },
  };
}
