// Stores new links. Nearly all have a slug that nobody else can have: they are stored and counted together, in one
// statement. A link that people made is stored by itself, because another one may have its slug.
import type { CreateLink, InputOf, Link, Plan } from '@landfall/contracts';
import { columnsOf, type Sql, type SqlTransaction } from '@landfall/db';
import { creationOf, isManaged } from '../domain/edit.ts';
import { usageKey } from '../domain/quota.ts';
import { storeEntry, valuesOfPeople } from './link-edit-repository.ts';
import { countTags } from './tag-repository.ts';

export interface NewLink {
  link: Link;
  /** The month of the quota: `2026-11`. */
  month: string;
  inputHash: Buffer;
  /** The maker, for the audit log. Null: the link has no entry. */
  by: InputOf<typeof CreateLink>['by'];
}

const columns = columnsOf<NewLink>({
  id: ['uuid', ({ link }) => link.id],
  app_id: ['uuid', ({ link }) => link.appId],
  slug: ['text', ({ link }) => link.slug],
  destination: ['text', ({ link }) => link.destination],
  metadata: ['text', ({ link }) => JSON.stringify(link.metadata)],
  input_hash: ['bytea', (l) => l.inputHash],
  created_at: ['timestamptz', ({ link }) => link.createdAt],
  month: ['text', (l) => l.month],
});
const INSERT_FROM_ASKED = `
  insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version)
  select id, app_id, slug, destination, metadata::json, input_hash, created_at, 1 from asked`;

const INSERT_COUNTED = `
  with asked as (select * from ${columns.unnest('a')}), made as (${INSERT_FROM_ASKED} order by id)
  update link.usage u set used = used + added.count
  from (select app_id, month, count(*)::int as count from asked group by 1, 2) added
  where u.app_id = added.app_id and u.month = added.month`;

/** $9 holds the limits of the plans. Without room the update returns no row, so its links are not inserted. */
const INSERT_WHAT_FITS = `
  with asked as (
    select * from unnest(${columns.arrays}, $9::int[]) as a(${columns.names}, most)
  ), wanted as (
    select app_id, month, count(*)::int as count, coalesce(min(most), 2147483647) as most from asked group by 1, 2
  ), counted as (
    insert into link.usage as u (app_id, month, used)
    select app_id, month, count from wanted where count <= most order by 1, 2
    on conflict (app_id, month) do update set used = u.used + excluded.used
    where u.used + excluded.used <= (select most from wanted w where w.app_id = u.app_id and w.month = u.month)
    returning app_id, month
  ), made as (${INSERT_FROM_ASKED} join counted using (app_id, month) order by id)
  select app_id, month from counted`;

const UNIQUE_VIOLATION = '23505';

/**
 * Stores and counts the links of each app and month whose plan has room for all of them, in one statement and one
 * round trip. Returns the ids of the stored links. For each app and month, it stores all links or none. It stores
 * nothing at all if one of the links or slugs already exists. It does not look for them first: a statement that is
 * planned while there are few links would read all of them each time, also when there are many.
 */
export async function insertWhatFits(sql: Sql, asked: readonly (NewLink & { plan: Plan })[]): Promise<Set<string>> {
  const values = [...columns.valuesOf(asked), asked.map(({ plan }) => plan.linksPerMonth)];
  const rows = await sql
    .rows<{ app_id: string; month: string }>(INSERT_WHAT_FITS, values)
    .catch((error: { code?: unknown }) => {
      if (error.code === UNIQUE_VIOLATION) return [];
      throw error;
    });
  const fitting = new Set(rows.map((row) => usageKey(row.app_id, row.month)));
  const made = asked.filter(({ link, month }) => fitting.has(usageKey(link.appId, month)));
  return new Set(made.map(({ link }) => link.id));
}

/** The caller holds the lock on their usage. A link that already exists fails the transaction. */
export function insertAll(tx: SqlTransaction, made: readonly NewLink[]): void {
  if (made.length > 0) tx.send(INSERT_COUNTED, columns.valuesOf(made));
}

/** $2 holds slugs: the link gets the first one that is free. */
const INSERT_ONE = `
  with free as (
    select slug from unnest($2::text[]) with ordinality as s(slug, place)
    where not exists (select from link.links l where l.app_id = $3 and l.slug = s.slug) order by place limit 1
  ), made as (
    insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version, expires_at, name,
      note, tags, web_url, ios_url, android_url, expired_url, maker_kind, maker_user_id, managed)
    select $1, $3, slug, $4, $5::json, $6, $7, 1, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18 from free
    on conflict (app_id, slug) do nothing returning slug
  ), counted as (
    update link.usage set used = used + 1 where app_id = $3 and month = $19 and exists (select from made)
  )
  select slug from made`;

/**
 * Stores and counts a link under the first of these slugs that is free. The caller holds the lock on its usage. Returns
 * the stored link. Null: none of them is free, and nothing was stored.
 */
export async function insertOne(tx: SqlTransaction, made: NewLink, slugs: readonly string[]): Promise<Link | null> {
  const { link, month, inputHash, by } = made;
  const { tags = [], madeBy = null } = link;
  const [row] = await tx.rows<{ slug: string }>(INSERT_ONE, [
    link.id,
    slugs,
    link.appId,
    link.destination,
    JSON.stringify(link.metadata),
    inputHash,
    link.createdAt,
    link.expiresAt,
    ...valuesOfPeople(link),
    madeBy?.kind ?? null,
    madeBy?.userId ?? null,
    isManaged(link),
    month,
  ]);
  if (!row) return null;
  const stored = { ...link, slug: row.slug };
  countTags(tx, link.appId, { added: tags, removed: [] });
  if (by !== null) storeEntry(tx, { messageId: link.id, ...by, at: link.createdAt }, stored, creationOf(stored));
  return stored;
}
