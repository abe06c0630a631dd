// Lists links. Every statement reads a limited number of rows, whatever an app has.
import { cursorAfter, type Link } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Wanted } from '../domain/listing.ts';
import { linkOf } from './link-rows.ts';

/** The most links that are read for a page of a list when some of them do not match. */
export const MAX_WALK = 10_000;

/** A link with the extra columns of the statements. If no link was found, all others are null. */
interface Found {
  id: string | null;
  walked_at?: Date | null;
  walked_id?: string | null;
}

/** One row without a link means that nothing was found. */
const linksOf = (found: readonly Found[]): Link[] => found.filter(({ id }) => id !== null).map(linkOf);

type State = Wanted['state'];

/** $6 is the current time, and PostgreSQL requires it in every statement. $7 and $8 are prefixes. */
const conditionOf: Record<State, string> = {
  all: '$6::timestamptz is not null',
  live: 'archived_at is null and (expires_at is null or expires_at > $6::timestamptz)',
  expired: 'archived_at is null and expires_at <= $6::timestamptz',
  archived: 'archived_at is not null and $6::timestamptz is not null',
};
const wantedOf = (state: State): string =>
  `${conditionOf[state]} and ($7::text is null or starts_with(slug, $7)) and ($8::text is null or starts_with(destination, $8))`;

/** The condition of each state's own index. It is repeated here so that the planner can use the index. */
const indexed: Record<State, string> = {
  all: 'true',
  live: 'true',
  expired: 'expires_at is not null',
  archived: 'archived_at is not null',
};

/** Selects the links of an app between two bounds, newest first, in the order of an index. */
const rangeOf = (state: State): string =>
  `from link.links where app_id = $1 and (created_at, id) < ($2, $3::uuid) and created_at >= $4 and ${indexed[state]}
   order by created_at desc, id desc`;

/**
 * Reads at most $9 links and stops at the $5th match. If it finds fewer matches, it also returns the last link that it
 * read, unless the list ended before the $9th link. It is one statement, so that both parts see the same links.
 */
const walkOf = (state: State): string =>
  `with found as materialized (
     select * from (select * ${rangeOf(state)} limit $9) walked where ${wantedOf(state)}
     order by created_at desc, id desc limit $5
   ), walked as materialized (
     select created_at as walked_at, id as walked_id ${rangeOf(state).replace('where', 'where (select count(*) from found) < $5 and')}
     offset $9::bigint - 1 limit 1
   )
   select found.*, walked.* from (values (1)) one left join found on true left join walked on true
   order by created_at desc, id desc`;

export function linkLister(database: Database) {
  return {
    /**
     * Returns links, newest first. Reads at most `MAX_WALK` links. If it reads that many and fewer than `limit` of them
     * match, `walkedTo` is the cursor after the last link that was read. Otherwise it is null.
     */
    async list(wanted: Wanted, limit: number, now: Date): Promise<{ links: Link[]; walkedTo: string | null }> {
      const { appId, state, destination, slug, from, after } = wanted;
      const shared = [appId, after.at, after.id, from, limit, now, slug, destination];
      const rows = await database.rows<Found>(walkOf(state), [...shared, MAX_WALK]);
      const [first] = rows;
      return {
        links: linksOf(rows),
        walkedTo: first?.walked_id ? cursorAfter({ at: first.walked_at!, id: first.walked_id }) : null,
      };
    },
  };
}
