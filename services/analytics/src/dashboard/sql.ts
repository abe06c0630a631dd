// The questions of the product dashboard. Grafana fills in the variables: ${app}, ${zone}, ${label}, and the range ${__from} to
// ${__to} in milliseconds. Both stores count whole days of the app.
import type { AnalyticsMetric, FixedDimension } from '@landfall/contracts';
import { attributedInstalls } from '../clickhouse/facts-query.ts';
import { columns, isOfLinks, LABEL, linkColumns, metrics } from '../domain/metrics.ts';

export type Store = 'postgresql' | 'clickhouse';
export type Sql = Readonly<Record<Store, string>>;

type Named = readonly [metric: AnalyticsMetric, name: string];

/** A variable, which Grafana fills in. `:sqlstring` puts it in quotation marks. */
export const variable = (name: string): string => `\${${name}}`;

const APP = variable('app:sqlstring');
const ZONE = variable('zone:sqlstring');
const LABELLED = variable('label:sqlstring');
const FROM = variable('__from');
const TO = variable('__to');
const NONE = '(none)';

export const apps: Sql = {
  postgresql: 'select distinct app_id::text from analytics.hour_counts order by 1',
  clickhouse: 'select distinct toString(app_id) from facts order by 1',
};

export const zone: Sql = {
  postgresql: `select coalesce((select time_zone from analytics.apps where app_id = ${APP}), 'UTC')`,
  clickhouse: `select if(count() = 0, 'UTC', any(time_zone)) from apps final where app_id = toUUID(${APP})`,
};

export const labels: Sql = {
  postgresql: `select distinct substr(dimension, ${LABEL.length + 1}) from analytics.day_counts
where app_id = ${APP} and metric = 'clicks' and dimension like '${LABEL}%' order by 1`,
  clickhouse: `select distinct arrayJoin(mapKeys(labels)) as label from facts where app_id = toUUID(${APP}) and kind = ${metrics.clicks.kind} order by label`,
};

const first = `(to_timestamp(${FROM} / 1000.0) at time zone ${ZONE})::date`;
const last = `(to_timestamp(${TO} / 1000.0) at time zone ${ZONE})::date`;
const ofDays = `app_id = ${APP} and day between ${first} and ${last}`;

const start = `toStartOfDay(fromUnixTimestamp64Milli(toInt64(${FROM})), ${ZONE})`;
const end = `addDays(toStartOfDay(fromUnixTimestamp64Milli(toInt64(${TO})), ${ZONE}), 1)`;
const inRange = (column: string) => `${column} >= ${start} and ${column} < ${end}`;

const factsOf = (metric: AnalyticsMetric): string =>
  metric === 'attributedInstalls'
    ? `(${attributedInstalls(`toUUID(${APP})`, inRange)})`
    : `(select * from facts final where app_id = toUUID(${APP}) and kind = ${metrics[metric].kind} and ${inRange('at')}${metric === 'storeRedirects' ? ' and to_store' : ''})`;
const numberOf = (metric: AnalyticsMetric): string => (metric === 'visitors' ? 'uniqExact(visitor)' : 'count()');

const nameOf = (named: readonly Named[]): string =>
  `case metric ${named.map(([metric, name]) => `when '${metric}' then '${name}'`).join(' ')} end`;
const listOf = (named: readonly Named[]): string => named.map(([metric]) => `'${metric}'`).join(', ');

/** A line for each metric, a point for each day. */
export const daily = (...named: readonly Named[]): Sql => ({
  postgresql: `select day::timestamp at time zone ${ZONE} as time, ${nameOf(named)} as metric, sum(n)::float8 as value
from analytics.day_counts where ${ofDays} and metric in (${listOf(named)}) and dimension = 'all'
group by 1, 2 having sum(n) > 0 order by 1`,
  clickhouse: `${named
    .map(
      ([metric, name]) =>
        `select toStartOfDay(at, ${ZONE}) as time, '${name}' as metric, toFloat64(${numberOf(metric)}) as value
from ${factsOf(metric)} group by time`,
    )
    .join('\nunion all\n')}
order by time`,
});

/** A line for each value of a dimension. */
export const dailyBy = (metric: AnalyticsMetric, dimension: FixedDimension): Sql => ({
  postgresql: `select day::timestamp at time zone ${ZONE} as time, coalesce(nullif(value, ''), '${NONE}') as metric, sum(n)::float8 as value
from analytics.day_counts where ${ofDays} and metric = '${metric}' and dimension = '${dimension}'
group by 1, 2 having sum(n) > 0 order by 1`,
  clickhouse: `select toStartOfDay(at, ${ZONE}) as time, ifNull(${columns[dimension]}, '${NONE}') as metric, toFloat64(${numberOf(metric)}) as value
from ${factsOf(metric)} group by time, metric order by time`,
});

/** One number for the range. Visitors: the mean of the days, as they are told apart within a day only. */
export function total(metric: AnalyticsMetric): Sql {
  if (metric === 'visitors')
    return {
      postgresql: `select round(coalesce(sum(n), 0) / ((${last} - ${first}) + 1), 2)::float8 as value
from analytics.day_counts where ${ofDays} and metric = 'visitors' and dimension = 'all'`,
      clickhouse: `select round(sum(visitors) / dateDiff('day', toDate(${start}), toDate(${end})), 2) as value
from (select uniqExact(visitor) as visitors from ${factsOf(metric)} group by toStartOfDay(at, ${ZONE}))`,
    };
  return {
    postgresql: `select coalesce(sum(n), 0)::float8 as value
from analytics.day_counts where ${ofDays} and metric = '${metric}' and dimension = 'all'`,
    clickhouse: `select toFloat64(count()) as value from ${factsOf(metric)}`,
  };
}

/** A row for each metric. */
export const totals = (...named: readonly Named[]): Sql => ({
  postgresql: `select step, coalesce(n, 0)::float8 as value
from (values ${named.map(([metric, name], i) => `(${i}, '${metric}', '${name}')`).join(', ')}) as steps(place, metric, step)
left join (select metric, sum(n) as n from analytics.day_counts where ${ofDays} and dimension = 'all' group by 1) as counts using (metric)
order by place`,
  clickhouse: `select step, value from (
${named.map(([metric, name], i) => `select ${i} as place, '${name}' as step, toFloat64(count()) as value from ${factsOf(metric)}`).join('\nunion all\n')}
) order by place`,
});

/** A row for each value of a dimension, the greatest first. */
export function top(metric: AnalyticsMetric, dimension: FixedDimension, limit: number): Sql {
  const clickhouse = `select ifNull(toString(${columns[dimension]}), '${NONE}') as value, toFloat64(${numberOf(metric)}) as total
from ${factsOf(metric)} group by value order by total desc, value limit ${limit}`;
  if (dimension === 'link' && isOfLinks(metric))
    return {
      postgresql: `select link_id::text as value, sum(${linkColumns[metric]})::float8 as total
from analytics.link_counts where ${ofDays} group by 1 having sum(${linkColumns[metric]}) > 0 order by 2 desc, 1 limit ${limit}`,
      clickhouse,
    };
  return {
    postgresql: `select coalesce(nullif(value, ''), '${NONE}') as value, sum(n)::float8 as total
from analytics.day_counts where ${ofDays} and metric = '${metric}' and dimension = '${dimension}'
group by 1 having sum(n) > 0 order by 2 desc, 1 limit ${limit}`,
    clickhouse,
  };
}

/** A row for each value of the chosen label. */
export const topOfLabel = (metric: AnalyticsMetric, limit: number): Sql => ({
  postgresql: `select value, sum(n)::float8 as total
from analytics.day_counts where ${ofDays} and metric = '${metric}' and dimension = '${LABEL}' || ${LABELLED}
group by 1 having sum(n) > 0 order by 2 desc, 1 limit ${limit}`,
  clickhouse: `select labels[${LABELLED}] as value, toFloat64(count()) as total
from ${factsOf(metric)} where mapContains(labels, ${LABELLED})
group by value order by total desc, value limit ${limit}`,
});
