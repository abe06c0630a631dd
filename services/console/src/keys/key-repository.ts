import { type FindKey, instant, KeyKind, type ReplyOf, reader, text, uuid } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { toApp, withDomains } from '../apps/app-repository.ts';
import { readSecrets } from '../identity/rotation.ts';
import { lastUsed, toBytes, toHash } from '../rows.ts';

export const Key = z.object({
  id: uuid(),
  appId: uuid(),
  kind: KeyKind.default('mobile'),
  label: text(200),
  hint: text(20),
  createdAt: instant(),
  /** The key is refused from this time on. Null: it does not expire. */
  expiresAt: instant().nullable().default(null),
  /** The key that replaced it at its rotation. */
  replacedBy: uuid().nullable().default(null),
  revokedAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
});
export type Key = z.output<typeof Key>;
const toKey = reader(Key);

/** A key's share of the requests of its app. */
export const KeyUsage = z.object({
  /** Reported requests of this hour and the 23 hours before it. Reports are up to a minute late. */
  requests24h: z.int().min(0),
  /** The share of all requests with a key of the app in these hours, from 0 to 1. Null when there was no request. */
  share24h: z.number().min(0).max(1).nullable(),
  lastUsedAt: instant().nullable(),
});
export type KeyUsage = z.output<typeof KeyUsage>;

/** The same statement stores the ids of the counted messages, so that no message counts twice. */
const COUNT_USES = `
  with told as (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[]) as t(message_id, key_id, at, requests)
  ), fresh as (
    insert into account.counted_uses (message_id, at) select distinct on (message_id) message_id, at from told
    order by message_id on conflict (message_id) do nothing returning message_id
  )
  insert into account.key_uses as u (key_id, hour, requests)
  select key_id, date_trunc('hour', at, 'UTC'), sum(requests)::int
  from (select distinct on (message_id) * from told join fresh using (message_id)) t
  group by 1, 2 order by 1, 2
  on conflict (key_id, hour) do update set requests = u.requests + excluded.requests`;

const USES_OF_A_DAY = `
  select coalesce(sum(requests) filter (where k.id = $2), 0)::int as requests, coalesce(sum(requests), 0)::int as of_all
  from account.keys k join account.key_uses u on u.key_id = k.id
  where k.app_id = $1 and u.hour > $3::timestamptz - interval '24 hours' and u.hour <= $3`;

export function keyRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Returns keys by hash, each with its app. Unknown and revoked keys are not in the map. Expired keys are. */
    async find(hashes: readonly string[]): Promise<Map<string, ReplyOf<typeof FindKey>>> {
      const rows = await prisma.key.findMany({
        where: { hash: { in: hashes.map(toBytes) }, revokedAt: null },
        include: { app: { include: withDomains } },
      });
      return new Map(
        rows.map((row) => {
          const { id: keyId, kind, expiresAt } = toKey(row);
          const secrets = readSecrets(row.app.identitySecrets);
          const identitySecrets = secrets.map(({ sealed: secret, expiresAt }) => ({ secret, expiresAt }));
          return [toHash(row.hash), { keyId, kind, expiresAt, app: toApp(row.app), identitySecrets }];
        }),
      );
    },

    async list(appId: string): Promise<Key[]> {
      return (await prisma.key.findMany({ where: { appId }, orderBy: { createdAt: 'asc' } })).map(toKey);
    },

    /** Stores the last use, and adds the requests of each message to the hour of its time. */
    async noteUsed(uses: readonly { messageId: string; id: string; at: Date; requests: number }[]): Promise<void> {
      const [ids, times] = [uses.map((u) => u.id), uses.map((u) => u.at)];
      await database.rows(lastUsed('keys'), [ids, times]);
      await database.rows(COUNT_USES, [uses.map((u) => u.messageId), ids, times, uses.map((u) => u.requests)]);
    },

    /** Returns how much a key was used in 24 hours. Null: the app has no such key. */
    async usage(appId: string, keyId: string, now: Date): Promise<KeyUsage | null> {
      const key = await prisma.key.findFirst({ where: { id: keyId, appId } });
      if (!key) return null;
      const [uses] = await database.rows<{ requests: number; of_all: number }>(USES_OF_A_DAY, [appId, keyId, now]);
      const { requests, of_all } = uses!;
      return {
        requests24h: requests,
        share24h: of_all === 0 ? null : requests / of_all,
        lastUsedAt: toKey(key).lastUsedAt,
      };
    },

    async insert(
      tx: PrismaTransaction,
      { now, hash, ...key }: Pick<Key, 'id' | 'appId' | 'kind' | 'hint' | 'label'> & { hash: string; now: Date },
    ): Promise<Key> {
      return toKey(await tx.key.create({ data: { ...key, hash: toBytes(hash), createdAt: now } }));
    },

    async findOf(tx: PrismaTransaction, appId: string, keyId: string): Promise<{ key: Key; hash: string } | null> {
      const row = await tx.key.findFirst({ where: { id: keyId, appId } });
      return row && { key: toKey(row), hash: toHash(row.hash) };
    },

    async replace(tx: PrismaTransaction, keyId: string, by: { id: string; expiresAt: Date }): Promise<Key> {
      const data = { replacedBy: by.id, expiresAt: by.expiresAt };
      return toKey(await tx.key.update({ where: { id: keyId }, data }));
    },

    /** Revokes a key. A key that is already revoked keeps its time. Null: the app has no such key. */
    async revoke(tx: PrismaTransaction, appId: string, keyId: string, now: Date) {
      await tx.key.updateMany({ where: { id: keyId, appId, revokedAt: null }, data: { revokedAt: now } });
      return this.findOf(tx, appId, keyId);
    },
  };
}
