import { type ColumnTable, columnsOf, type SqlTransaction } from '@landfall/db';
import { type DayCount, rank } from '../domain/counting.ts';
import { type Change, KNOWN_DAYS, NO_VALUE_OR_OTHER } from '../domain/places.ts';

/** The columns of the key of a count. */
export const keys: ColumnTable<DayCount> = {
  app_id: ['uuid', (c) => c.appId],
  metric: ['text', (c) => c.metric],
  dimension: ['text', (c) => c.dimension],
  day: ['date', (c) => c.day],
  value: ['text', (c) => c.value],
};

/** The values that have counts of their own. */
export function valueRepository(tx: SqlTransaction) {
  return {
    /** Returns changes with what is stored, in one question for all of them. */
    async changes(counts: readonly DayCount[]): Promise<Change[]> {
      const values = [...columns.valuesOf(counts), NO_VALUE_OR_OTHER, KNOWN_DAYS];
      const rows = await tx.rows<{ place: number; n: string | null; isKnown: boolean; size: number | null }>(
        findChanges,
        values,
      );
      return rows.map(({ place, n, isKnown, size }) => {
        const count = counts[place - 1]!;
        return {
          ...count,
          rank: isKnown && count.rank === rank.unknown ? rank.ofLastDays : count.rank,
          stored: n === null ? null : Number(n),
          size: size ?? 0,
        };
      });
    },

    /** Returns the values of the dimension of a count with the lowest ranks and numbers, the lowest first. */
    async last({ appId, metric, dimension, day }: DayCount, limit: number): Promise<DayCount[]> {
      const rows = await tx.rows<{ value: string; n: string; rank: DayCount['rank'] }>(
        `select value, n::text, rank from analytics.day_counts
         where app_id = $1 and metric = $2 and dimension = $3 and day = $4::date and value <> all($5::text[])
         order by rank, n, value limit $6`,
        [appId, metric, dimension, day, NO_VALUE_OR_OTHER, limit],
      );
      return rows.map((row) => ({ appId, metric, dimension, day, ...row, n: Number(row.n) }));
    },

    remove(counts: readonly DayCount[]): void {
      if (counts.length > 0) tx.send(removeCounts, columns.valuesOf(counts));
    },
  };
}

const columns = columnsOf(keys);

const findChanges = `
  with given as materialized (
    select g.*, c.n from ${columns.unnest('g', 'place')}
    left join analytics.day_counts c using (app_id, metric, dimension, day, value)
  ), sizes as materialized (
    select app_id, metric, dimension, day, (
      select count(*)::int from analytics.day_counts c where c.app_id = m.app_id and c.metric = m.metric
        and c.dimension = m.dimension and c.day = m.day and c.value <> all($6::text[])
    ) as size
    from (select distinct app_id, metric, dimension, day from given where n is null) m
  )
  select g.place::int, g.n::text, s.size, g.n is null and g.value <> all($6::text[]) and exists (
    select from generate_series(1, $7::int) as ago join analytics.day_counts c on c.app_id = g.app_id
      and c.metric = g.metric and c.dimension = g.dimension and c.day = g.day - ago and c.value = g.value
    where c.n > 0
  ) as "isKnown"
  from given g left join sizes s using (app_id, metric, dimension, day)`;

const removeCounts = `
  delete from analytics.day_counts c using ${columns.unnest('g')}
  where c.app_id = g.app_id and c.metric = g.metric and c.dimension = g.dimension and c.day = g.day
    and c.value = g.value`;
