// The only file of this service that talks to PostgreSQL.
import { type App, AppSettings, type Key, type Plan } from '@landfall/contracts';
import type { App as AppRow, Database, Key as KeyRow, Prisma } from '@landfall/db';

export type AccountRepository = ReturnType<typeof accountRepository>;
export type Transaction = Prisma.TransactionClient;

/** Hashes travel as base64url and are stored as bytes. */
const bytes = (hash: string) => Buffer.from(hash, 'base64url');

/** An app as others see it. Settings that were added since it was stored get their defaults. */
function toApp(row: AppRow): App {
  return {
    ...AppSettings.parse(row.settings),
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    plan: { name: row.plan, linksPerMonth: row.linksPerMonth },
    version: row.version,
    createdAt: row.createdAt.toISOString(),
  };
}

const toKey = (row: KeyRow): Key => ({
  id: row.id,
  appId: row.appId,
  label: row.label,
  hint: row.hint,
  createdAt: row.createdAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

export function accountRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Live keys by hash, each with its app; what is unknown or revoked is not in the map. */
    async findKeys(hashes: readonly string[]): Promise<Map<string, { keyId: string; app: App }>> {
      const rows = await prisma.key.findMany({
        where: { hash: { in: hashes.map(bytes) }, revokedAt: null },
        include: { app: true },
      });
      return new Map(
        rows.map((row) => [Buffer.from(row.hash).toString('base64url'), { keyId: row.id, app: toApp(row.app) }]),
      );
    },

    /** Ids of management tokens by hash. */
    async findTokens(hashes: readonly string[]): Promise<Map<string, string>> {
      const rows = await prisma.token.findMany({ where: { hash: { in: hashes.map(bytes) } } });
      return new Map(rows.map((row) => [Buffer.from(row.hash).toString('base64url'), row.id]));
    },

    async findApps(ids: readonly string[]): Promise<Map<string, App>> {
      const rows = await prisma.app.findMany({ where: { id: { in: [...ids] } } });
      return new Map(rows.map((row) => [row.id, toApp(row)]));
    },

    /** Apps by a host name that they have or had: links on a name that was given up still lead to their app. */
    async findHosts(hosts: readonly string[]): Promise<Map<string, App>> {
      const rows = await prisma.host.findMany({ where: { host: { in: [...hosts] } }, include: { app: true } });
      return new Map(rows.map((row) => [row.host, toApp(row.app)]));
    },

    /** Newest first, after the row that the cursor names. */
    async listApps(limit: number, after: { at: Date; id: string } | null): Promise<App[]> {
      const rows = await prisma.app.findMany({
        ...(after && {
          where: { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] },
        }),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toApp);
    },

    async listKeys(appId: string): Promise<Key[] | null> {
      const app = await prisma.app.findUnique({
        where: { id: appId },
        include: { keys: { orderBy: { createdAt: 'asc' } } },
      });
      return app?.keys.map(toKey) ?? null;
    },

    /** Notes when keys were last used; an older time than the one stored changes nothing. */
    async noteKeysUsed(uses: readonly { keyId: string; at: Date }[]): Promise<void> {
      await database.rows(
        `update account.keys k set last_used_at = u.at
         from (select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as u(id, at) group by id) u
         where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
        [uses.map((u) => u.keyId), uses.map((u) => u.at)],
      );
    },

    /**
     * Runs a change once, in one transaction: a message that was done before gets what was done then. What is refused is
     * not remembered.
     */
    change<const R extends { refused: string } | { subject: string; done: object }>(
      message: { id: string; now: Date; command: string },
      decide: (tx: Transaction) => Promise<R>,
    ): Promise<Extract<R, { refused: string }> | Pick<Extract<R, { done: object }>, 'done'>> {
      type Result = Extract<R, { refused: string }> | Pick<Extract<R, { done: object }>, 'done'>;
      return prisma.$transaction(async (tx) => {
        const before = await tx.accountChange.findUnique({ where: { messageId: message.id } });
        if (before) return { done: before.reply } as unknown as Result;
        const decided = await decide(tx);
        if ('refused' in decided) return decided as Result;
        await tx.accountChange.create({
          data: {
            messageId: message.id,
            subject: decided.subject,
            command: message.command,
            reply: decided.done as Prisma.InputJsonObject,
            at: message.now,
          },
        });
        return { done: decided.done } as unknown as Result;
      });
    },

    async lockApp(tx: Transaction, appId: string): Promise<App | null> {
      await tx.$queryRaw`select 1 from account.apps where id = ${appId}::uuid for update`;
      const row = await tx.app.findUnique({ where: { id: appId } });
      return row && toApp(row);
    },

    /** The app that has or had the host name. */
    async hostOwner(tx: Transaction, host: string): Promise<string | null> {
      return (await tx.host.findUnique({ where: { host } }))?.appId ?? null;
    },

    async hostsOf(tx: Transaction, appId: string): Promise<string[]> {
      const rows = await tx.host.findMany({ where: { appId }, orderBy: { host: 'asc' } });
      return rows.map((row) => row.host);
    },

    async insertApp(
      tx: Transaction,
      app: { id: string; name: string; subdomain: string; settings: AppSettings; now: Date },
    ): Promise<App> {
      const { now, settings, ...rest } = app;
      const row = await tx.app.create({
        data: { ...rest, settings, plan: 'unlimited', linksPerMonth: null, version: 1, createdAt: now },
      });
      await tx.host.create({ data: { host: app.subdomain, appId: app.id } });
      return toApp(row);
    },

    /** Stores the app's changed fields as its next version, and with a new subdomain releases the one before. */
    async updateApp(
      tx: Transaction,
      before: App,
      after: { name: string; subdomain: string; settings: AppSettings },
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
      return toApp(await tx.app.update({ where: { id: before.id }, data: { ...after, version: { increment: 1 } } }));
    },

    async setPlan(tx: Transaction, appId: string, plan: Plan): Promise<App> {
      const data = { plan: plan.name, linksPerMonth: plan.linksPerMonth, version: { increment: 1 } };
      return toApp(await tx.app.update({ where: { id: appId }, data }));
    },

    async insertKey(
      tx: Transaction,
      key: { id: string; appId: string; hash: string; hint: string; label: string; now: Date },
    ): Promise<Key> {
      const { now, hash, ...rest } = key;
      return toKey(await tx.key.create({ data: { ...rest, hash: bytes(hash), createdAt: now } }));
    },

    /** Revokes; a key that is revoked already keeps its time. Null when the app has no such key. */
    async revokeKey(
      tx: Transaction,
      appId: string,
      keyId: string,
      now: Date,
    ): Promise<{ key: Key; hash: string } | null> {
      await tx.key.updateMany({ where: { id: keyId, appId, revokedAt: null }, data: { revokedAt: now } });
      const row = await tx.key.findFirst({ where: { id: keyId, appId } });
      return row && { key: toKey(row), hash: Buffer.from(row.hash).toString('base64url') };
    },

    /** Stores the token unless it is stored already; gives its id. */
    async ensureToken(token: { id: string; hash: string; label: string; now: Date }): Promise<string> {
      const { now, hash, ...rest } = token;
      // In two steps: of several processes that start at once, Prisma's upsert fails all but one.
      await prisma.token.createMany({ data: { ...rest, hash: bytes(hash), createdAt: now }, skipDuplicates: true });
      const row = await prisma.token.findUniqueOrThrow({ where: { hash: bytes(hash) } });
      return row.id;
    },
  };
}
