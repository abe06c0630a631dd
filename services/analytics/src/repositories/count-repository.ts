import { columnsOf, type SqlTransaction } from '@landfall/db';
import type { DayCount, HourCount, LinkCount } from '../domain/counting.ts';
import { linkColumns, linkMetrics } from '../domain/metrics.ts';
import { added, dimensionOf, exchanged, isOpen, OTHER, placed } from '../domain/places.ts';
import { keys, valueRepository } from './value-repository.ts';

/** Adds to counts. All transactions must give them in one order, so that no two wait for each other. */
export function countRepository(tx: SqlTransaction) {
  function upsert(counts: readonly DayCount[]): void {
    if (counts.length > 0) tx.send(addToDays, dayCounts.valuesOf(counts));
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
      if (counts.length > 0) tx.send(addToLinks, linkCounts.valuesOf(counts));
    },

    addHours(counts: readonly HourCount[]): void {
      if (counts.length > 0) tx.send(addToHours, hourCounts.valuesOf(counts));
    },
  };
}

const dayCounts = columnsOf<DayCount>({ ...keys, n: ['bigint', (c) => c.n], rank: ['smallint', (c) => c.rank] });

const addToDays = `
  insert into analytics.day_counts as c (${dayCounts.names})
  select * from ${dayCounts.unnest('g')}
  on conflict (app_id, metric, dimension, day, value) do update set
    n = c.n + excluded.n, rank = greatest(c.rank, excluded.rank)`;

const linkCounts = columnsOf<LinkCount>({
  app_id: ['uuid', (c) => c.appId],
  day: ['date', (c) => c.day],
  link_id: ['uuid', (c) => c.linkId],
  ...Object.fromEntries(
    linkMetrics.map((metric) => [linkColumns[metric], ['int', (c: LinkCount) => c[metric]] as const]),
  ),
});

const addToLinks = `
  insert into analytics.link_counts as c (${linkCounts.names})
  select * from ${linkCounts.unnest('g')}
  on conflict (app_id, day, link_id) do update set
    ${Object.values(linkColumns)
      .map((column) => `${column} = c.${column} + excluded.${column}`)
      .join(', ')}`;

const hourCounts = columnsOf<HourCount>({
  app_id: ['uuid', (c) => c.appId],
  metric: ['text', (c) => c.metric],
  hour: ['timestamptz', (c) => new Date(c.hour)],
  n: ['bigint', (c) => c.n],
});

const addToHours = `
  insert into analytics.hour_counts as c (${hourCounts.names})
  select * from ${hourCounts.unnest('g')}
  on conflict (app_id, metric, hour) do update set n = c.n + excluded.n`;
