// Changes counts in PostgreSQL, many at a time.
import type { SqlTransaction } from '@landfall/db';
import type { DayCount, HourCount, LinkCount } from '../domain/counting.ts';
import { added, dimensionOf, exchanged, isOpen, OTHER, placed } from '../domain/places.ts';
import { plain, texts } from './array-text.ts';
import { keysOf, valueRepository } from './value-repository.ts';

/**
 * Adds to counts. All transactions must give them in one order, so that no two wait for each other.
 */
export function countRepository(tx: SqlTransaction) {
  function upsert(counts: readonly DayCount[]): void {
    if (counts.length === 0) return;
    tx.send(
      `insert into analytics.day_counts as c (app_id, metric, dimension, day, value, n, rank)
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::date[], $5::text[], $6::bigint[], $7::smallint[])
       on conflict (app_id, metric, dimension, day, value) do update set
         n = c.n + excluded.n, rank = greatest(c.rank, excluded.rank)`,
      [...keysOf(counts), plain(counts.map((c) => c.n)), plain(counts.map((c) => c.rank))],
    );
  }

  return {
    /** Resolves with the number of facts that are counted as `(other)`. All counts of a day are changed together. */
    async addDays(counts: readonly DayCount[]): Promise<number> {
      const { closed = [], open = [] } = Object.groupBy(counts, (count) => (isOpen(count) ? 'open' : 'closed'));
      // The count of all facts is among them. Its lock makes other transactions wait, so that what is read below stays true.
      upsert(closed);
      if (open.length === 0) return 0;
      const values = valueRepository(tx);
      const first = placed(await values.changes(open));
      const exchanges = await Promise.all(
        [...Map.groupBy(first.homeless, dimensionOf).values()].map(async (homeless) =>
          exchanged(homeless, await values.last(homeless[0]!, homeless.length)),
        ),
      );
      values.remove(exchanges.flatMap(({ givenUp }) => givenUp));
      const all = added([...first.counts, ...exchanges.flatMap((exchange) => exchange.counts)]);
      upsert(all);
      return all.reduce((sum, { value, n }) => (value === OTHER && n > 0 ? sum + n : sum), 0);
    },

    addLinks(counts: readonly LinkCount[]): void {
      if (counts.length === 0) return;
      tx.send(
        `insert into analytics.link_counts as c
           (app_id, day, link_id, clicks, store_redirects, opens, restores, attributed_installs)
         select * from unnest($1::uuid[], $2::date[], $3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])
         on conflict (app_id, day, link_id) do update set
           clicks = c.clicks + excluded.clicks, store_redirects = c.store_redirects + excluded.store_redirects,
           opens = c.opens + excluded.opens, restores = c.restores + excluded.restores,
           attributed_installs = c.attributed_installs + excluded.attributed_installs`,
        [
          plain(counts.map((c) => c.appId)),
          plain(counts.map((c) => c.day)),
          plain(counts.map((c) => c.linkId)),
          plain(counts.map((c) => c.clicks)),
          plain(counts.map((c) => c.storeRedirects)),
          plain(counts.map((c) => c.opens)),
          plain(counts.map((c) => c.restores)),
          plain(counts.map((c) => c.attributedInstalls)),
        ],
      );
    },

    addHours(counts: readonly HourCount[]): void {
      if (counts.length === 0) return;
      tx.send(
        `insert into analytics.hour_counts as c (app_id, metric, hour, n)
         select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bigint[])
         on conflict (app_id, metric, hour) do update set n = c.n + excluded.n`,
        [
          plain(counts.map((c) => c.appId)),
          texts(counts.map((c) => c.metric)),
          plain(counts.map((c) => new Date(c.hour).toISOString())),
          plain(counts.map((c) => c.n)),
        ],
      );
    },
  };
}
