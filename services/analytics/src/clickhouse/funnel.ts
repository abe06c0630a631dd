// Follows clicks to the devices that they led to, as the funnel of PostgreSQL does.
import { kinds } from '../domain/fact.ts';
import { WITHIN_MS } from '../domain/install.ts';
import type { Delay, Followed, Question } from '../store.ts';
import type { ClickHouse } from './clickhouse.ts';
import { attributedInstalls, factsQuery, rangeOf } from './facts-query.ts';

type Delays = [number, number];
interface Row extends Omit<Followed, 'toRestore' | 'toInstall'> {
  readonly toRestore: Delays;
  readonly toInstall: Delays;
}

/** Returns the statement that reads the clicks of a question, each with the steps that it led to. */
export function stepsOf({ appId, buckets, to }: Question, clicks: ReturnType<typeof factsQuery>): string {
  const app = clicks.add(appId, 'UUID');
  const clicked = rangeOf(clicks, buckets[0]!, to)('clicked_at');
  // What follows from a click comes after it. An install may come a day before its restore.
  const since = rangeOf(clicks, buckets[0]!, FAR);
  const earliest = rangeOf(clicks, buckets[0]! - WITHIN_MS, FAR);
  return `select c.id as id, c.at as at, c.value as value, r.click_id is not null as restored, restored and i.click_id is not null as installed,
         installed and i.came_back as opened,
         greatest(0, dateDiff('millisecond', c.at, r.restored_at)) / 1000 as to_restore,
         greatest(0, dateDiff('millisecond', c.at, i.installed_at)) / 1000 as to_install
       from (select f.id as id, f.at as at, ${clicks.value} as value ${clicks.from}) as c
       left join (
         select click_id, min(at) as restored_at from facts final
         where app_id = ${app} and kind = ${kinds.restore} and ${since('at')} and ${clicked} group by click_id
       ) as r on r.click_id = c.id
       left join (
         select click_id, min(i.at) as installed_at, max(a.last_at > i.at) as came_back
         from (select * from (${attributedInstalls(app, earliest)}) where ${clicked}) as i
         left join (
           select device, max(at) as last_at from facts final
           where app_id = ${app} and kind = ${kinds.active} and ${earliest('at')} and device is not null group by device
         ) as a on a.device = i.device
         group by click_id
       ) as i on i.click_id = c.id`;
}

export async function followed(clickhouse: ClickHouse, question: Question): Promise<Followed[]> {
  const clicks = factsQuery({ ...question, metric: 'clicks' });
  const rows = await clickhouse.rows<Row>(
    `select value, count() as clicks, countIf(restored) as restores, countIf(installed) as installs,
       countIf(opened) as opens, ${percentiles('to_restore', 'restored')} as "toRestore",
       ${percentiles('to_install', 'installed')} as "toInstall"
     from (${stepsOf(question, clicks)})
     group by value order by clicks desc, value is not null, value limit ${clicks.add(question.limit, 'UInt32')}`,
    clicks.values,
  );
  return rows.map(({ toRestore, toInstall, ...row }) => ({
    ...row,
    toRestore: delayOf(toRestore, row.restores),
    toInstall: delayOf(toInstall, row.installs),
  }));
}

/** As `percentile_disc` of PostgreSQL. */
const percentiles = (column: string, step: string): string =>
  `arrayMap(part -> arraySort(groupArrayIf(${column}, ${step}))[toUInt64(ceil(part * countIf(${step})))], [0.5, 0.9])`;

const delayOf = ([median, p90]: Delays, count: number): Delay | null => (count === 0 ? null : { median, p90 });

/** The year 2200. */
const FAR = 7_258_118_400_000;
