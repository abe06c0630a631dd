import { type App, AppSettings, type Plan } from '@landfall/contracts';
import type { App as AppRow, Database, Prisma, PrismaTransaction } from '@landfall/db';
import { readSecrets, type StoredSecret } from '../identity/rotation.ts';
import { createdBefore, latestFirst, type Place } from '../rows.ts';

export interface WantedApp {
  id: string;
  name: string;
  subdomain: string;
  settings: AppSettings;
  /** Null: the first owner's team, as soon as it exists. */
  teamId: string | null;
}

export const withDomains = {
  domains: { where: { verifiedAt: { not: null } }, select: { domain: true }, orderBy: { domain: 'asc' } },
} as const;

/** Settings that are newer than the stored row get their defaults. */
export function toApp(row: AppRow & { domains: readonly { domain: string }[] }): App {
  return {
    ...AppSettings.parse(row.settings),
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    subdomain: row.subdomain,
    domains: row.domains.map(({ domain }) => domain),
    primaryDomain: row.primaryDomain,
    plan: { name: row.plan, linksPerMonth: row.linksPerMonth },
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
  };
}

/** Tells these advisory locks from others. Its value has no meaning. */
const HOST_LOCKS = 7_052_118;

export function appRepository({ prisma }: Database) {
  async function change(tx: PrismaTransaction, id: string, data: Prisma.AppUncheckedUpdateInput): Promise<App> {
    const next = { ...data, version: { increment: 1 } };
    return toApp(await tx.app.update({ where: { id }, data: next, include: withDomains }));
  }

  return {
    change,

    async find(ids: readonly string[]): Promise<Map<string, App>> {
      const rows = await prisma.app.findMany({ where: { id: { in: [...ids] } }, include: withDomains });
      return new Map(rows.map((row) => [row.id, toApp(row)]));
    },

    /** Returns apps by host name. An earlier subdomain also finds its app, because old links on it still work. */
    async findHosts(hosts: readonly string[]): Promise<Map<string, App>> {
      const rows = await prisma.host.findMany({
        where: { host: { in: [...hosts] } },
        include: { app: { include: withDomains } },
      });
      return new Map(rows.map((row) => [row.host, toApp(row.app)]));
    },

    /** Lists apps, newest first, after the row of the cursor. Null for `teamIds` or `archived` means no filter. */
    async list(
      { teamIds, archived }: { teamIds: readonly string[] | null; archived: boolean | null },
      limit: number,
      after: Place | null,
    ): Promise<App[]> {
      const rows = await prisma.app.findMany({
        where: {
          ...(teamIds && { teamId: { in: [...teamIds] } }),
          ...(archived !== null && { archivedAt: archived ? { not: null } : null }),
          ...createdBefore(after),
        },
        orderBy: latestFirst(),
        take: limit,
        include: withDomains,
      });
      return rows.map(toApp);
    },

    async lock(tx: PrismaTransaction, appId: string): Promise<App | null> {
      await tx.$queryRaw`select 1 from account.apps where id = ${appId}::uuid for update`;
      const row = await tx.app.findUnique({ where: { id: appId }, include: withDomains });
      return row && toApp(row);
    },

    /** The app that has or had the host. Others that ask for this host wait until the end of the transaction. */
    async hostOwner(tx: PrismaTransaction, host: string): Promise<string | null> {
      await tx.$executeRaw`select pg_advisory_xact_lock(${HOST_LOCKS}::int, hashtext(${host}))`;
      return (await tx.host.findUnique({ where: { host } }))?.appId ?? null;
    },

    async hostsOf(tx: PrismaTransaction, appId: string): Promise<string[]> {
      const rows = await tx.host.findMany({ where: { appId }, orderBy: { host: 'asc' } });
      return rows.map((row) => row.host);
    },

    async insert(tx: PrismaTransaction, { now, settings, plan, ...app }: WantedApp & { plan: Plan; now: Date }) {
      const row = await tx.app.create({
        data: { ...app, settings, plan: plan.name, linksPerMonth: plan.linksPerMonth, version: 1, createdAt: now },
        include: withDomains,
      });
      await tx.host.create({ data: { host: app.subdomain, appId: app.id } });
      return toApp(row);
    },

    async update(
      tx: PrismaTransaction,
      before: App,
      after: Pick<App, 'name' | 'subdomain' | 'primaryDomain' | 'archivedAt'> & { settings: AppSettings },
      now: Date,
    ): Promise<App> {
      if (after.subdomain !== before.subdomain) {
        await tx.host.update({ where: { host: before.subdomain }, data: { releasedAt: now } });
        await tx.host.upsert({
          where: { host: after.subdomain },
          create: { host: after.subdomain, appId: before.id },
          update: { releasedAt: null },
        });
      }
      return change(tx, before.id, after);
    },

    /** Returns the secrets that sign the app's users, including expired ones. Null: there is no such app. */
    async identitySecrets(appId: string, tx: PrismaTransaction = prisma): Promise<StoredSecret[] | null> {
      const row = await tx.app.findUnique({ where: { id: appId }, select: { identitySecrets: true } });
      return row && readSecrets(row.identitySecrets);
    },

    async lockOfTeam(tx: PrismaTransaction, teamId: string): Promise<App[]> {
      await tx.$queryRaw`select 1 from account.apps where team_id = ${teamId}::uuid order by id for update`;
      const rows = await tx.app.findMany({ where: { teamId }, orderBy: { id: 'asc' }, include: withDomains });
      return rows.map(toApp);
    },

    /** Moves all apps without a team into this team. Returns their ids, new versions and time zones. */
    async adopt(tx: PrismaTransaction, teamId: string): Promise<Pick<App, 'id' | 'version' | 'timeZone'>[]> {
      const rows = await tx.app.updateManyAndReturn({
        where: { teamId: null },
        data: { teamId, version: { increment: 1 } },
        select: { id: true, version: true, settings: true },
      });
      return rows.map(({ settings, ...row }) => ({ ...row, timeZone: AppSettings.parse(settings).timeZone }));
    },
  };
}
