// This folder is the only part of the service that talks to PostgreSQL.
import type { InputOf, Link, ListLinkEdits } from '@landfall/contracts';
import type { Database, Sql, SqlTransaction } from '@landfall/db';
import type { Named } from '../domain/listing.ts';
import { usageKey } from '../domain/quota.ts';
import { editOnce, listEdits } from './link-edit-repository.ts';
import { linkLister } from './link-list-repository.ts';
import { linkOf } from './link-row-repository.ts';
import { insertAll, insertOne, insertWhatFits } from './new-link-repository.ts';
import { listTags, tagsWith } from './tag-repository.ts';
import { listUtm } from './utm-repository.ts';

export type LinkRepository = ReturnType<typeof linkRepository>;

/** They are looked up one by one: a plan that is made while there are few links may read all of them each time. */
const LINKS_BY_ID = `
  select l.* from unnest($1::uuid[]) as asked(id)
  cross join lateral (select * from link.links where id = asked.id limit 1) l`;

export function linkRepository(database: Database) {
  return {
    transaction: <T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T> => database.transaction(run),

    /** Returns links by `appId/slug`. */
    async resolve(keys: readonly { appId: string; slug: string }[]): Promise<Map<string, Link>> {
      const rows = await database.rows(
        `select l.* from unnest($1::uuid[], $2::text[]) as k(app_id, slug)
         join link.links l on l.app_id = k.app_id and l.slug = k.slug`,
        [keys.map((k) => k.appId), keys.map((k) => k.slug)],
      );
      return new Map(rows.map(linkOf).map((link) => [`${link.appId}/${link.slug}`, link]));
    },

    /** Returns the links of an app that have one of these slugs, by their slugs. */
    async named(appId: string, slugs: readonly string[]): Promise<Map<string, Named>> {
      const rows = await database.rows<Named>(
        `select slug, created_at as "createdAt", managed from link.links where app_id = $1 and slug = any($2::text[])`,
        [appId, slugs],
      );
      return new Map(rows.map((row) => [row.slug, row]));
    },

    async findById(ids: readonly string[]): Promise<Map<string, Link>> {
      const rows = await database.rows(LINKS_BY_ID, [ids]);
      return new Map(rows.map(linkOf).map((link) => [link.id, link]));
    },

    /** Returns the requested links that already exist, each with the hash of its request. */
    async findMade(tx: Sql, asked: readonly { id: string }[]): Promise<Map<string, { link: Link; inputHash: string }>> {
      const ids = asked.map((one) => one.id);
      const rows = await tx.rows<{ id: string; input_hash: Buffer }>(LINKS_BY_ID, [ids]);
      return new Map(rows.map((row) => [row.id, { link: linkOf(row), inputHash: row.input_hash.toString('hex') }]));
    },

    /** Returns which of these slugs the app has. */
    async takenOf(tx: Sql, appId: string, slugs: readonly string[]): Promise<Set<string>> {
      const rows = await tx.rows<{ slug: string }>(
        'select slug from link.links where app_id = $1 and slug = any($2::text[])',
        [appId, slugs],
      );
      return new Set(rows.map(({ slug }) => slug));
    },

    ...linkLister(database),

    async countLive(appId: string, now: Date): Promise<number> {
      const [row] = await database.rows<{ live: number }>(
        `select count(*)::int as live from link.links
         where app_id = $1 and archived_at is null and (expires_at is null or expires_at > $2)`,
        [appId, now],
      );
      return row!.live;
    },

    async usedIn(appId: string, month: string): Promise<number> {
      const [row] = await database.rows<{ used: number }>(
        'select used from link.usage where app_id = $1 and month = $2',
        [appId, month],
      );
      return row?.used ?? 0;
    },

    /** Returns the used links by {@link usageKey}, locked. All transactions lock in the same order. */
    async lockUsage(tx: Sql, keys: readonly { appId: string; month: string }[]): Promise<Map<string, number>> {
      // The update changes nothing. It locks an existing row and returns it.
      const rows = await tx.rows<{ app_id: string; month: string; used: number }>(
        `insert into link.usage as u (app_id, month, used)
         select distinct app_id, month, 0 from unnest($1::uuid[], $2::text[]) as k(app_id, month) order by 1, 2
         on conflict (app_id, month) do update set used = u.used returning app_id, month, used`,
        [keys.map((k) => k.appId), keys.map((k) => k.month)],
      );
      return new Map(rows.map((row) => [usageKey(row.app_id, row.month), row.used]));
    },

    insertWhatFits: (asked: Parameters<typeof insertWhatFits>[1]) => insertWhatFits(database, asked),
    insertAll,
    insertOne,

    async lock(tx: Sql, linkId: string): Promise<Link | null> {
      const [row] = await tx.rows('select * from link.links where id = $1 for update', [linkId]);
      return row ? linkOf(row) : null;
    },

    edit: editOnce,

    listEdits: (
      of: Omit<InputOf<typeof ListLinkEdits>, 'limit' | 'cursor'>,
      limit: number,
      after: { at: Date; id: string } | null,
    ) => listEdits(database, of, limit, after),

    tagsWith,
    listTags: (appId: string) => listTags(database, appId),
    listUtm: (appId: string, limit: number) => listUtm(database, appId, limit),
  };
}
