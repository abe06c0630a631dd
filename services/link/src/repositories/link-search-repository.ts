// Finds links of people by any part of their texts, by a tag or by their maker, with the index `links_search`. It has no
// order, so a search reads all matches, up to a limit, and sorts them.
import type { Link } from '@landfall/contracts';
import type { Database, Sql } from '@landfall/db';
import type { Wanted } from '../domain/listing.ts';
import { linkOf } from './link-row-repository.ts';
import { anywhere, type Counted, conditionOf, type Ids, type Listed, rowOf, SEARCHED } from './listed.ts';

/** The most links that the index may find. Of more, one is near in the list: a walk finds them. */
export const MAX_MATCHES = 5_000;
/** The index has parts of three characters. */
const INDEXED_LENGTH = 3;

/**
 * Returns a statement for the matches, as a part of a larger one, with its parameters. It reads at most `most` and one more
 * of the links that the index finds, as `hits`, so that what the index does not know is asked of few.
 */
function matchesOf({ appId, state, tag, userId, words, campaign, from, after }: Wanted, now: Date, most = MAX_MATCHES) {
  const values: unknown[] = [appId, after.at, after.id, from, now];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const [short, long] = [words.filter(isShort), words.filter((word) => !isShort(word))];
  const indexed = [
    'app_id = $1 and managed',
    ...(tag === null ? [] : [`tags @> array[${parameter(tag)}::text]`]),
    ...(userId === null ? [] : [`maker_user_id = ${parameter(userId)}::uuid`]),
    // Nearly every destination has the name of the parameter: to look for it in the index takes five times as long.
    ...(campaign === null ? [] : [`${SEARCHED} ~ ${parameter(campaign.slice(campaign.indexOf('=')))}::text`]),
    ...long.map((word) => `${SEARCHED} like ${parameter(anywhere(word))}::text`),
  ];
  const others = [
    `(created_at, id) < ($2, $3::uuid) and created_at >= $4`,
    conditionOf(state, '$5'),
    // The pattern is rare outside of destinations.
    ...(campaign === null ? [] : [`${SEARCHED} ~ ${parameter(campaign)}::text`]),
    ...short.map((word) => `strpos(${SEARCHED}, ${parameter(word)}::text) > 0`),
  ];
  const text = `hits as materialized (select ${READ} from link.links where ${indexed.join(' and ')} limit ${most + 1}),
    matches as materialized (
      select id, created_at from hits where ${others.join(' and ')}
    )`;
  return { text, values };
}

/** The columns that the conditions and the order need. */
const READ = 'id, created_at, archived_at, expires_at, name, slug, destination';
const isShort = (word: string): boolean => word.length < INDEXED_LENGTH;

/** True when the migration could make the index: the extensions `pg_trgm` and `btree_gin` need the owner of the database. */
export async function hasSearchIndex(sql: Sql): Promise<boolean> {
  const [row] = await sql.rows<{ there: boolean }>(`select to_regclass('link.links_search') is not null as there`);
  return row?.there === true;
}

export function searchOf(database: Database) {
  let hasIndex: Promise<boolean> | undefined;

  return {
    /** True when the index can find these links. */
    async can({ origin, tag, userId, words, campaign }: Wanted): Promise<boolean> {
      if (origin !== 'people') return false;
      if (tag === null && userId === null && campaign === null && words.every(isShort)) return false;
      hasIndex ??= hasSearchIndex(database).catch((error: unknown) => {
        hasIndex = undefined;
        throw error;
      });
      return hasIndex;
    },

    /** Returns a page, newest first. Null: the index finds too many links. */
    async find(wanted: Wanted, limit: number, now: Date): Promise<Listed | null> {
      const { text, values } = matchesOf(wanted, now);
      const rows = await database.rows<{ id: string | null; hits: number }>(
        `with ${text}, page as (
           select id from matches where (select count(*) from hits) <= ${MAX_MATCHES}
           order by created_at desc, id desc limit $${values.length + 1}
         )
         select (select count(*) from hits)::int as hits, found.* from (values (1)) one
         left join (select l.* from page join link.links l on l.id = page.id) found on true
         order by created_at desc, id desc`,
        [...values, limit],
        // What is rare and what is common follows from the words.
        'anew',
      );
      if (rows[0]!.hits > MAX_MATCHES) return null;
      const links: Link[] = rows.filter(({ id }) => id !== null).map(linkOf);
      return { links, readTo: links.length === limit ? rowOf(links.at(-1)!) : null };
    },

    /** Not exact: the index finds too many links. */
    async count(wanted: Wanted, now: Date): Promise<Counted> {
      const { text, values } = matchesOf(wanted, now);
      const [row] = await database.rows<{ matches: number; hits: number }>(
        `with ${text} select (select count(*) from matches)::int as matches, (select count(*) from hits)::int as hits`,
        values,
        'anew',
      );
      return { count: Math.min(row!.matches, MAX_MATCHES), exact: row!.hits <= MAX_MATCHES };
    },

    async ids(wanted: Wanted, now: Date, most: number): Promise<Ids> {
      const { text, values } = matchesOf(wanted, now, most);
      const [row] = await database.rows<{ ids: string[] | null; hits: number }>(
        `with ${text} select (select array_agg(id) from matches) as ids, (select count(*) from hits)::int as hits`,
        values,
        'anew',
      );
      return { ids: row!.ids ?? [], all: row!.hits <= most };
    },
  };
}
