// Finds links of people by any part of their texts, by a tag or by their maker, with the index `links_search`. It has no
// order, so a search reads all matches, up to a limit, and sorts them.
import type { Link } from '@landfall/contracts';
import type { Database, Sql } from '@landfall/db';
import type { Wanted } from '../domain/listing.ts';
import { linkOf } from './link-row-repository.ts';
import { anywhere, type Counted, conditionOf, type Ids, type Listed, rowOf, SEARCHED } from './listed.ts';

/** The most matches that are sorted. Of more, one is near in the list: a walk finds them. */
const MAX_MATCHES = 5_000;
/** The index has parts of three characters. */
const INDEXED_LENGTH = 3;

/** Returns a statement for the matches, as a part of a larger one, with its parameters. */
function matchesOf({ appId, state, tag, userId, words, campaign, from, after }: Wanted, now: Date, most = MAX_MATCHES) {
  const values: unknown[] = [appId, after.at, after.id, from, now];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    `app_id = $1 and managed and (created_at, id) < ($2, $3::uuid) and created_at >= $4`,
    conditionOf(state, '$5'),
    ...(tag === null ? [] : [`tags @> array[${parameter(tag)}::text]`]),
    ...(userId === null ? [] : [`maker_user_id = ${parameter(userId)}::uuid`]),
    // The index has the whole text, and the pattern is rare outside of destinations.
    ...(campaign === null ? [] : [`${SEARCHED} ~ ${parameter(campaign)}::text`]),
    ...words.map((word) =>
      word.length < INDEXED_LENGTH
        ? `strpos(${SEARCHED}, ${parameter(word)}::text) > 0`
        : `${SEARCHED} like ${parameter(anywhere(word))}::text`,
    ),
  ];
  const text = `select id, created_at from link.links where ${conditions.join(' and ')} limit ${most + 1}`;
  return { text, values };
}

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
      if (tag === null && userId === null && campaign === null && words.every((word) => word.length < INDEXED_LENGTH))
        return false;
      hasIndex ??= hasSearchIndex(database).catch((error: unknown) => {
        hasIndex = undefined;
        throw error;
      });
      return hasIndex;
    },

    /** Returns a page, newest first. Null: there are too many matches. */
    async find(wanted: Wanted, limit: number, now: Date): Promise<Listed | null> {
      const { text, values } = matchesOf(wanted, now);
      const rows = await database.rows<{ id: string | null; matches: number }>(
        `with matches as materialized (${text}), page as (
           select id from matches where (select count(*) from matches) <= ${MAX_MATCHES}
           order by created_at desc, id desc limit $${values.length + 1}
         )
         select (select count(*) from matches)::int as matches, found.* from (values (1)) one
         left join (select l.* from page join link.links l on l.id = page.id) found on true
         order by created_at desc, id desc`,
        [...values, limit],
        // What is rare and what is common follows from the words.
        'anew',
      );
      if (rows[0]!.matches > MAX_MATCHES) return null;
      const links: Link[] = rows.filter(({ id }) => id !== null).map(linkOf);
      return { links, readTo: links.length === limit ? rowOf(links.at(-1)!) : null };
    },

    async count(wanted: Wanted, now: Date): Promise<Counted> {
      const { text, values } = matchesOf(wanted, now);
      const [row] = await database.rows<{ matches: number }>(
        `select count(*)::int as matches from (${text}) matches`,
        values,
        'anew',
      );
      return { count: Math.min(row!.matches, MAX_MATCHES), exact: row!.matches <= MAX_MATCHES };
    },

    async ids(wanted: Wanted, now: Date, most: number): Promise<Ids> {
      const { text, values } = matchesOf(wanted, now, most);
      const rows = await database.rows<{ id: string }>(text, values, 'anew');
      return { ids: rows.map(({ id }) => id), all: rows.length <= most };
    },
  };
}
