// Lists links. Every statement reads a limited number of rows, whatever an app has.
import type { Database } from '@landfall/db';
import type { Row, Wanted } from '../domain/listing.ts';
import { linkOf } from './link-row-repository.ts';
import { MAX_MATCHES, searchOf } from './link-search-repository.ts';
import { anywhere, type Counted, conditionOf, type Ids, type Listed, rowOf, SEARCHED } from './listed.ts';

/** The most links that are read for a page of a list when some of them do not match. */
export const MAX_WALK = 10_000;
/** Those that a search reads before it asks its index. Of a common word, they have a page. */
const SHORT_WALK = 2_000;

/** A link with the extra columns of the statements. If no link was found, all others are null. */
interface Found {
  id: string | null;
  walked_at?: Date | null;
  walked_id?: string | null;
}

/** $6 is the current time. $7 and $8 are prefixes, $10 a tag, $11 a person, $12 words, $13 a pattern. Null: any. */
const wantedOf = ({ state, origin }: Wanted): string =>
  `${conditionOf(state, '$6')} and ${indexedByOrigin[origin]} and ($7::text is null or starts_with(slug, $7)) and ($8::text is null or starts_with(destination, $8))
   and ($10::text is null or $10 = any(tags)) and ($11::uuid is null or maker_user_id = $11)
   and ($12::text[] is null or ${origin === 'keys' ? 'lower(destination)' : SEARCHED} like all($12)) and ($13::text is null or lower(destination) ~ $13)`;

/** The conditions of the partial indexes. They are repeated here so that the planner can use the index. */
const indexedByState: Record<Wanted['state'], string> = {
  all: 'true',
  live: 'true',
  expired: 'expires_at is not null',
  archived: 'archived_at is not null',
};
const indexedByOrigin: Record<Wanted['origin'], string> = { all: 'true', people: 'managed', keys: 'not managed' };

/**
 * Selects the links of an app between two bounds, newest first, in the order of an index. One walk reads links of any origin:
 * those of keys may be few among many of people.
 */
const rangeOf = ({ state, origin, oneWalk }: Wanted): string =>
  `from link.links where app_id = $1 and (created_at, id) < ($2, $3::uuid) and created_at >= $4
   and ${indexedByState[state]} and ${indexedByOrigin[oneWalk ? 'all' : origin]} order by created_at desc, id desc`;

/**
 * Reads at most $9 links and stops at the $5th match. If it finds fewer matches, it also returns the last link that it
 * read, unless the list ended before the $9th link. It is one statement, so that both parts see the same links.
 */
const walkOf = (wanted: Wanted): string =>
  `with found as materialized (
     select * from (select * ${rangeOf(wanted)} limit $9) walked where ${wantedOf(wanted)}
     order by created_at desc, id desc limit $5
   ), walked as materialized (
     select created_at as walked_at, id as walked_id ${rangeOf(wanted).replace('where', 'where (select count(*) from found) < $5 and')}
     offset $9::bigint - 1 limit 1
   )
   select found.*, walked.* from (values (1)) one left join found on true left join walked on true
   order by created_at desc, id desc`;

/** Selects the matches among the first $9 links, at most $5, and only those after a row. */
const oneWalkOf = (wanted: Wanted): string =>
  `select * from (select * ${rangeOf(wanted)} limit $9) walked
   where ${wantedOf(wanted)} and ($14::timestamptz is null or (created_at, id) < ($14, $15::uuid))
   order by created_at desc, id desc limit $5`;

/** Counts the matches among the first $5 links, and these links. */
const countOf = (wanted: Wanted): string =>
  `select count(*) filter (where ${wantedOf(wanted).replaceAll('$9', '$5')})::int as found, count(*)::int as walked
   from (select * ${rangeOf(wanted)} limit $5) walked where $9::int is not null`;

/** The ids of the matches among the first $5 links. */
const idsOf = (wanted: Wanted): string =>
  `select array_agg(id) filter (where ${wantedOf(wanted).replaceAll('$9', '$5')}) as ids, count(*)::int as walked
   from (select * ${rangeOf(wanted)} limit $5) walked where $9::int is not null`;

const valuesOf = (
  { appId, destination, slug, tag, userId, words, campaign, from, after }: Wanted,
  limit: number,
  now: Date,
  walk: number,
) => [
  ...[appId, after.at, after.id, from, limit, now, slug, destination, walk, tag, userId],
  words.length === 0 ? null : words.map(anywhere),
  campaign,
];

/** True when a walk has read all links that are meant. */
const isWhole = ({ oneWalk }: Wanted, { walked }: { walked: number }): boolean => oneWalk !== null || walked < MAX_WALK;

export function linkLister(database: Database) {
  const search = searchOf(database);

  /** Reads links until the page is full, at most `walk`. */
  async function walked(wanted: Wanted, limit: number, now: Date, walk: number): Promise<Listed> {
    const rows = await database.rows<Found>(walkOf(wanted), valuesOf(wanted, limit, now, walk));
    const links = rows.filter(({ id }) => id !== null).map(linkOf);
    const [first] = rows;
    if (first?.walked_id) return { links, readTo: { at: first.walked_at!, id: first.walked_id } };
    return { links, readTo: links.length === limit ? rowOf(links.at(-1)!) : null };
  }

  async function inOneWalk(wanted: Wanted, behind: Row | null, limit: number, now: Date): Promise<Listed> {
    const values = [...valuesOf(wanted, limit, now, MAX_WALK), behind?.at ?? null, behind?.id ?? null];
    const links = (await database.rows(oneWalkOf(wanted), values)).map(linkOf);
    return { links, readTo: links.length === limit ? rowOf(links.at(-1)!) : null };
  }

  return {
    /** Returns links, newest first. Reads at most some `MAX_WALK` links, so that a page may have fewer than `limit`. */
    async list(wanted: Wanted, limit: number, now: Date): Promise<Listed> {
      if (wanted.oneWalk) return inOneWalk(wanted, wanted.oneWalk.behind, limit, now);
      if (!(await search.can(wanted))) return walked(wanted, limit, now, MAX_WALK);
      const near = await walked(wanted, limit, now, SHORT_WALK);
      if (near.readTo === null || near.links.length === limit) return near;
      return (await search.find(wanted, limit, now)) ?? walked(wanted, limit, now, MAX_WALK);
    },

    async count(wanted: Wanted, now: Date): Promise<Counted> {
      const near = (await search.can(wanted)) ? await search.count(wanted, now) : null;
      if (near !== null && (near.exact || near.count === MAX_MATCHES)) return near;
      const [row] = await database.rows<{ found: number; walked: number }>(
        countOf(wanted),
        valuesOf(wanted, MAX_WALK, now, MAX_WALK),
      );
      return { count: Math.max(row!.found, near?.count ?? 0), exact: isWhole(wanted, row!) };
    },

    async ids(wanted: Wanted, now: Date, most: number): Promise<Ids> {
      const near = (await search.can(wanted)) ? await search.ids(wanted, now, most) : null;
      if (near?.all) return near;
      const [row] = await database.rows<{ ids: string[] | null; walked: number }>(
        idsOf(wanted),
        valuesOf(wanted, MAX_WALK, now, MAX_WALK),
      );
      return { ids: row!.ids ?? [], all: isWhole(wanted, row!) };
    },
  };
}
