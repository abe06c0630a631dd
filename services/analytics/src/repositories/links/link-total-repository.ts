// The totals of links, which are the sums of `analytics.link_counts` on the last days. They change with these counts, and
// every day a day leaves each range.
import type { FigureDays } from '@landfall/contracts';
import { columnsOf, type Sql, type SqlTransaction } from '@landfall/db';
import { ALL, NO_VALUE } from '../../domain/counting.ts';
import { kinds } from '../../domain/fact.ts';
import { firstDay, type LinkTotal, leavingDays, ranges } from '../../domain/link-totals.ts';
import { DAY_MS } from '../../domain/zone.ts';

/** Of more days at once, all totals are summed up again. */
const MOST_DAYS = 7;
const LONGEST = Math.max(...ranges) as FigureDays;

/** The columns of both numbers, with the columns of `analytics.link_counts` that they sum up. */
const numbers = ranges.flatMap((days) => [
  { column: `clicks_${days}`, of: 'clicks', days },
  { column: `installs_${days}`, of: 'attributed_installs', days },
]);
const names = numbers.map(({ column }) => column);

/** The last day of the ranges of apps. An app without has no totals yet. */
export async function endsOf(sql: Sql, appIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.rows<{ appId: string; day: string }>(
    'select app_id as "appId", day::text as day from analytics.link_ends where app_id = any($1::uuid[])',
    [appIds],
  );
  return new Map(rows.map(({ appId, day }) => [appId, day]));
}

/** The caller holds the lock of the app: shared for `add`, exclusive for all others. */
export function linkTotalRepository(tx: SqlTransaction) {
  const send = (text: string, values: readonly unknown[]) => tx.send(text, values, 'anew');

  return {
    add(totals: readonly LinkTotal[]): void {
      if (totals.length > 0) tx.send(addTotals, columns.valuesOf(totals));
    },

    /** The next question sums them up again. */
    forget: (appId: string): void => send('delete from analytics.link_ends where app_id = $1', [appId]),

    /** Moves the end of the ranges to a day. Does nothing when it is there already. */
    async moveTo(appId: string, end: string): Promise<void> {
      const before = (await endsOf(tx, [appId])).get(appId);
      if (before !== undefined && before >= end) return;
      if (before === undefined || Date.parse(end) - Date.parse(before) > MOST_DAYS * DAY_MS) sumUp(appId, end);
      else leave(appId, before, end);
      send(
        `insert into analytics.link_ends (app_id, day) values ($1, $2::date)
         on conflict (app_id) do update set day = excluded.day`,
        [appId, end],
      );
    },
  };

  /** Takes out the days that leave the ranges. */
  function leave(appId: string, before: string, end: string) {
    const days = [...new Set(ranges.flatMap((days) => leavingDays(days, before, end)))];
    const sums = numbers.map(
      ({ column, of, days }) =>
        `coalesce(sum(${of}) filter (where day >= '${firstDay(days, before)}' and day < '${firstDay(days, end)}'), 0) as ${column}`,
    );
    send(
      `update analytics.link_totals t set ${names.map((name) => `${name} = t.${name} - l.${name}`).join(', ')}
       from (
         select link_id, ${sums.join(', ')} from analytics.link_counts
         where app_id = $1 and day = any($2::date[]) and (clicks <> 0 or attributed_installs <> 0) group by link_id
       ) l
       where t.app_id = $1 and t.link_id = l.link_id`,
      [appId, days],
    );
  }

  /** The last taps whose facts are not kept any more stay as they were. */
  function sumUp(appId: string, end: string) {
    send(
      `create temp table landfall_taps on commit drop as
       select link_id, max(at) as at from (
         select link_id, at from analytics.facts where app_id = $1 and kind = ${kinds.click}
         union all
         select link_id, last_tap_at from analytics.link_totals
         where app_id = $1 and last_tap_at < (select kept_from from analytics.state)
       ) tap where link_id is not null group by link_id`,
      [appId],
    );
    send('delete from analytics.link_totals where app_id = $1', [appId]);
    const sums = numbers.map(
      ({ column, of, days }) => `coalesce(sum(${of}) filter (where day >= '${firstDay(days, end)}'), 0) as ${column}`,
    );
    send(
      `insert into analytics.link_totals (app_id, link_id, last_tap_at, ${names.join(', ')})
       select $1, link_id, t.at, ${names.map((name) => `coalesce(c.${name}, 0)`).join(', ')}
       from (
         select link_id, ${sums.join(', ')} from analytics.link_counts
         where app_id = $1 and day >= $2::date and (clicks <> 0 or attributed_installs <> 0) group by link_id
       ) c full join landfall_taps t using (link_id)`,
      [appId, firstDay(LONGEST, end)],
    );
    send('drop table landfall_taps', []);
  }
}

/**
 * Returns the apps whose totals are not the sums of their days: a service of an older version, which knows no totals, counted
 * meanwhile.
 */
export async function wrongTotals(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ appId: string }>(
    `select e.app_id as "appId" from analytics.link_ends e
     cross join lateral (
       select coalesce(sum(clicks_${LONGEST}), 0) as clicks, coalesce(sum(installs_${LONGEST}), 0) as installs
       from analytics.link_totals t where t.app_id = e.app_id
     ) t
     cross join lateral (
       select coalesce(sum(n) filter (where metric = 'clicks'), 0) as clicks,
         coalesce(sum(n) filter (where metric = 'attributedInstalls'), 0) as installs
       from analytics.day_counts d
       where d.app_id = e.app_id and d.metric in ('clicks', 'attributedInstalls') and d.dimension = '${ALL}'
         and d.value = '${NO_VALUE}' and d.day > e.day - ${LONGEST}
     ) d
     where (t.clicks, t.installs) <> (d.clicks, d.installs)`,
    [],
    'anew',
  );
  return rows.map(({ appId }) => appId);
}

const columns = columnsOf<LinkTotal>({
  app_id: ['uuid', (t) => t.appId],
  link_id: ['uuid', (t) => t.linkId],
  last_tap_at: ['timestamptz', (t) => t.lastTapAt],
  ...Object.fromEntries(
    ranges.flatMap((days) => [
      [`clicks_${days}`, ['int', (t: LinkTotal) => t.clicks[days]] as const],
      [`installs_${days}`, ['int', (t: LinkTotal) => t.installs[days]] as const],
    ]),
  ),
});

const addTotals = `
  insert into analytics.link_totals as t (${columns.names})
  select * from ${columns.unnest('g')}
  on conflict (app_id, link_id) do update set last_tap_at = greatest(t.last_tap_at, excluded.last_tap_at),
    ${names.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;
