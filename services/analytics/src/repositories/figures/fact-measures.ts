// Answers from single facts that are no counts: delays, distinct links, and the activity of cohorts.
import { COHORT_DAYS } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { kinds } from '../../domain/fact.ts';
import { columns } from '../../domain/metrics.ts';
import type { ActivityRow, Delay, Question } from '../../store.ts';
import { factsOf } from './fact-figures.ts';

const DAY_MS = 86_400_000;

export async function delays(sql: Sql, question: Question): Promise<Map<string | null, Delay>> {
  const facts = factsOf(question);
  const value = question.groupBy === null ? 'null::text' : facts.column(question.groupBy);
  const rows = await sql.rows<{ value: string | null; delays: number[] }>(
    `select ${value} as value, percentile_disc(array[0.5, 0.9]) within group (
       order by greatest(0, extract(epoch from ${facts.at} - f.clicked_at)::float8)) as delays
     ${facts.from} and f.clicked_at is not null group by 1`,
    facts.values,
    'anew',
  );
  return new Map(rows.map(({ value, delays: [median, p90] }) => [value, { median: median!, p90: p90! }]));
}

export async function clickedLinks(sql: Sql, question: Question): Promise<Map<string | null, number>> {
  const facts = factsOf({ ...question, metric: 'clicks' });
  const value = question.groupBy === null ? 'null::text' : facts.column(question.groupBy);
  const rows = await sql.rows<{ value: string | null; links: number }>(
    `select ${value} as value, count(distinct f.link_id)::int as links ${facts.from} group by 1`,
    facts.values,
    'anew',
  );
  return new Map(rows.map(({ value, links }) => [value, links]));
}

/** The filters are about the install. */
export async function activity(sql: Sql, { appId, buckets, to, filters }: Question): Promise<ActivityRow[]> {
  const values: unknown[] = [
    appId,
    buckets.map((ms) => new Date(ms)),
    new Date(buckets[0]!),
    new Date(to),
    new Date(to + (COHORT_DAYS + 1) * DAY_MS),
  ];
  const conditions = filters.map(({ dimension, values: wanted }) => {
    const column = `i.${columns[dimension as keyof typeof columns]}`;
    const given = `$${values.push(wanted.filter((value) => value !== null))}`;
    return `and (${column} = any(${given}::text[]) ${wanted.includes(null) ? `or ${column} is null` : ''})`;
  });
  // Right after many events came, the planner knows of few. It would then look for each event among all installs.
  await sql.rows("select set_config('enable_nestloop', 'off', true)");
  return sql.rows<{ bucket: number; installDay: number; devices: number }>(
    `select width_bucket(i.installed_at, $2::timestamptz[]) - 1 as bucket, f.install_day::int as "installDay",
       count(distinct f.device)::int as devices
     from analytics.facts f join analytics.installs i on i.app_id = f.app_id and i.device = f.device
     where f.app_id = $1 and f.kind = ${kinds.active} and f.at >= $3 and f.at < $5
       and i.installed_at >= $3 and i.installed_at < $4 and f.install_day between 1 and ${COHORT_DAYS} ${conditions.join(' ')}
     group by 1, 2`,
    values,
    'anew',
  );
}
