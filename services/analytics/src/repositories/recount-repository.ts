// Counts facts again, inside PostgreSQL.
import type { AnalyticsMetric } from '@landfall/contracts';
import type { SqlTransaction } from '@landfall/db';
import { ALL, NO_VALUE } from '../domain/counting.ts';
import { columns, isOfLinks, LABEL, type LinkMetric, linkColumns, metrics, plainMetrics } from '../domain/metrics.ts';
import { MOST_VALUES, NO_VALUE_OR_OTHER, OTHER } from '../domain/places.ts';
import { SLOT_MS } from '../domain/zone.ts';

/** The day and the hour of each quarter of an hour since 1970. The three lists have one length. */
export interface Slots {
  readonly slot: readonly number[];
  readonly day: readonly string[];
  readonly hour: readonly Date[];
}

/** The times of the first and the last fact of an app. `keptFrom` is null when no fact was deleted so far. */
export async function factSpan(tx: SqlTransaction, appId: string) {
  const [span] = await tx.rows<{ from: Date; to: Date; keptFrom: Date | null }>(
    `select min(at) as "from", max(at) as "to", (select kept_from from analytics.state) as "keptFrom"
     from analytics.facts where app_id = $1 having count(*) > 0`,
    [appId],
    'anew',
  );
  return span ?? null;
}

export function recountRepository(tx: SqlTransaction) {
  const send = (text: string, values: readonly unknown[]) => tx.send(text, values, 'anew');

  return {
    /**
     * @param fromDay the first day to replace. Null: all days.
     * @param from the beginning of that day
     */
    async replace(appId: string, fromDay: string | null, from: Date, slots: Slots): Promise<void> {
      const day = fromDay ?? '-infinity';
      keepPlaces(appId, day);
      for (const table of ['day_counts', 'link_counts', 'visitors'])
        send(`delete from analytics.${table} where app_id = $1 and day >= $2::date`, [appId, day]);
      const hour = fromDay === null ? '-infinity' : from;
      send('delete from analytics.hour_counts where app_id = $1 and hour >= $2::timestamptz', [appId, hour]);
      send(
        `create temp table landfall_slots on commit drop as
         select * from unnest($1::bigint[], $2::date[], $3::timestamptz[]) as s(slot, day, hour)`,
        [slots.slot, slots.day, slots.hour],
      );
      send('analyze landfall_slots', []);
      for (const metric of plainMetrics) count(metric, appId, from);
      countAttributed(appId, from);
      countVisitors(appId, from);
      limitValues(appId, day);
      // Waits for all of them.
      await tx.rows('select 1');
    },
  };

  /** Remembers which values have counts of their own, and how well they are known: facts do not say it. */
  function keepPlaces(appId: string, day: string) {
    send(
      `create temp table landfall_places on commit drop as
       select metric, dimension, day, value, rank from analytics.day_counts
       where app_id = $1 and day >= $2::date and dimension <> '${ALL}' and value <> all($3::text[])`,
      [appId, day, NO_VALUE_OR_OTHER],
    );
    send('analyze landfall_places', []);
  }

  /** Leaves each day its limit of values: those that had counts of their own, then the greatest. */
  function limitValues(appId: string, day: string) {
    send(
      `update analytics.day_counts c set rank = p.rank from landfall_places p
       where c.app_id = $1 and p.rank > 0
         and (c.metric, c.dimension, c.day, c.value) = (p.metric, p.dimension, p.day, p.value)`,
      [appId],
    );
    send(
      `with placed as (
         select c.metric, c.dimension, c.day, c.value, row_number() over (
           partition by c.metric, c.dimension, c.day order by p.value is null, c.rank desc, c.n desc, c.value
         ) as place
         from analytics.day_counts c left join landfall_places p using (metric, dimension, day, value)
         where c.app_id = $1 and c.day >= $2::date and c.dimension <> '${ALL}' and c.value <> all($3::text[])
       ), others as (
         delete from analytics.day_counts c using placed p
         where c.app_id = $1 and p.place > ${MOST_VALUES}
           and (c.metric, c.dimension, c.day, c.value) = (p.metric, p.dimension, p.day, p.value)
         returning c.metric, c.dimension, c.day, c.n
       )
       insert into analytics.day_counts as c (app_id, metric, dimension, day, value, n)
       select $1, metric, dimension, day, '${OTHER}', sum(n) from others group by metric, dimension, day
       on conflict (app_id, metric, dimension, day, value) do update set n = c.n + excluded.n`,
      [appId, day, NO_VALUE_OR_OTHER],
    );
  }

  function count(metric: AnalyticsMetric, appId: string, from: Date) {
    const { kind, labels } = metrics[metric];
    const facts = `analytics.facts f join landfall_slots s on s.slot = ${slotOf('f.at')}
      where f.app_id = $1 and f.kind = ${kind} and f.at >= $2 ${metric === 'storeRedirects' ? 'and f.to_store' : ''}`;
    countDimensions(metric, 'f', facts, [appId, from]);
    if (isOfLinks(metric)) countLinks(metric, 'f', facts, [appId, from]);
    if (!labels) return;
    send(
      `insert into analytics.day_counts (app_id, metric, dimension, day, value, n)
       select $1, '${metric}', '${LABEL}' || l.key, day, l.value, count(*)
       from (select s.day, f.labels from ${facts} and f.labels is not null) d, jsonb_each_text(d.labels) l
       group by 3, 4, 5`,
      [appId, from],
    );
  }

  /** Counts by all dimensions in one pass over the facts. */
  function countDimensions(metric: AnalyticsMetric, table: string, facts: string, values: readonly unknown[]) {
    const { sparse } = metrics[metric];
    // Links have a table of their own.
    const dimensions = metrics[metric].dimensions
      .filter((dimension) => dimension !== 'link')
      .map((dimension) => [dimension, `${table}.${columns[dimension]}`] as const);
    const having = dimensions
      .filter(([dimension]) => sparse.includes(dimension))
      .map(([, column]) => `(grouping(${column}) = 1 or ${column} is not null)`);
    const cases = (of: (name: string, column: string) => string, otherwise: string) =>
      dimensions.length === 0
        ? `'${otherwise}'`
        : `case ${dimensions.map(([name, column]) => `when grouping(${column}) = 0 then ${of(name, column)}`).join(' ')}
             else '${otherwise}' end`;
    send(
      `insert into analytics.day_counts (app_id, metric, dimension, day, value, n)
       select $1, '${metric}', ${cases((name) => `'${name}'`, ALL)}, s.day,
         ${cases((_, column) => `coalesce(${column}::text, '${NO_VALUE}')`, NO_VALUE)}, count(*)
       from ${facts}
       group by grouping sets (${['(s.day)', ...dimensions.map(([, column]) => `(s.day, ${column})`)].join()})
       ${having.length === 0 ? '' : `having ${having.join(' and ')}`}`,
      values,
    );
    send(
      `insert into analytics.hour_counts (app_id, metric, hour, n)
       select $1, '${metric}', s.hour, count(*) from ${facts} group by s.hour`,
      values,
    );
  }

  function countAttributed(appId: string, from: Date) {
    const facts = `analytics.installs i join landfall_slots s on s.slot = ${slotOf('i.installed_at')}
      where i.app_id = $1 and i.installed_at >= $2 and i.restored_at is not null`;
    countDimensions('attributedInstalls', 'i', facts, [appId, from]);
    countLinks('attributedInstalls', 'i', facts, [appId, from]);
  }

  function countLinks(metric: LinkMetric, table: string, facts: string, values: readonly unknown[]) {
    const column = linkColumns[metric];
    send(
      `insert into analytics.link_counts as c (app_id, day, link_id, ${column})
       select $1, s.day, ${table}.link_id, count(*) from ${facts} group by 2, 3
       on conflict (app_id, day, link_id) do update set ${column} = excluded.${column}`,
      values,
    );
  }

  function countVisitors(appId: string, from: Date) {
    const facts = `analytics.facts f join landfall_slots s on s.slot = ${slotOf('f.at')}
      where f.app_id = $1 and f.visitor is not null and f.at >= $2`;
    send(
      `insert into analytics.visitors (app_id, day, visitor)
       select distinct $1::uuid, s.day, f.visitor from ${facts} and exists (select from analytics.salts x where x.day = s.day)`,
      [appId, from],
    );
    send(
      `insert into analytics.day_counts (app_id, metric, dimension, day, value, n)
       select $1, 'visitors', '${ALL}', s.day, '${NO_VALUE}', count(distinct f.visitor) from ${facts} group by s.day`,
      [appId, from],
    );
  }
}

const slotOf = (column: string): string => `floor(extract(epoch from ${column}) / ${SLOT_MS / 1000})::bigint`;
