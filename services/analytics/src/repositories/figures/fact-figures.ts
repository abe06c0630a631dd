// Answers from single facts: several dimensions at once, hours by a dimension, parts of a day, visitors by a dimension.
import { COHORT_DAYS } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { kinds } from '../../domain/fact.ts';
import { columns } from '../../domain/metrics.ts';
import { DAY_MS } from '../../domain/zone.ts';
import type { ActivityRow, Figures, Question } from '../../store.ts';
import { factsQuery } from './facts-query.ts';
import { type FigureRow, groupsOf, ungrouped, valuesOf } from './rows-to-figures.ts';

export async function factFigures(sql: Sql, question: Question): Promise<Figures> {
  const rows = await read(sql, question);
  const { all = [], groups = [] } = Object.groupBy(rows, ({ isAll }) => (isAll ? 'all' : 'groups'));
  const figures = ungrouped('facts', valuesOf(all, question));
  if (question.groupBy === null) return figures;
  // A visitor may be in several groups, and counts once among all.
  const whole = question.metric === 'visitors' ? await factFigures(sql, { ...question, groupBy: null }) : figures;
  return { ...whole, groups: groupsOf(groups, question), groupCount: groups[0]?.groups ?? 0 };
}

interface Row extends FigureRow {
  /** How many groups there are. */
  readonly groups: number;
  /** True for the number of all groups together, also of those above the limit. */
  readonly isAll: boolean;
}

/** Reads the facts once, for the groups and for all together. */
async function read(sql: Sql, question: Question): Promise<Row[]> {
  const { buckets, metric } = question;
  const facts = factsQuery(question);
  const { value } = facts;
  const bucket = `width_bucket(${facts.at}, ${facts.parameter(buckets.map((ms) => new Date(ms)))}::timestamptz[])`;
  const limit = facts.parameter(question.limit);
  // Distinct visitors are hashed in a step of their own: `count(distinct)` sorts them, which takes longer.
  const counted =
    metric === 'visitors'
      ? `select bucket, value, count(*) as n from (
           select distinct ${bucket} as bucket, ${value} as value, f.visitor as visitor ${facts.from}
         ) once group by 1, 2`
      : `select ${bucket} as bucket, ${value} as value, count(*) as n ${facts.from} group by 1, 2`;
  const rows = await sql.rows<{ bucket: number; value: string | null; n: string; groups: number; isAll: boolean }>(
    `with counted as materialized (${counted}), top as (
       select value, sum(n) as total, count(*) over ()::int as groups from counted
       group by value order by total desc, value nulls first limit ${limit}
     )
     select c.bucket, c.value, c.n::text, top.groups, false as "isAll", top.total
     from counted c join top on top.value is not distinct from c.value
     union all
     select bucket, null, sum(n)::text, 0, true, 0 from counted group by bucket
     order by 6 desc, 2 nulls first`,
    facts.values,
    'anew',
  );
  return rows.map(({ n, ...row }) => ({ ...row, n: Number(n) }));
}

export async function clickedLinks(sql: Sql, question: Question): Promise<Map<string | null, number>> {
  const facts = factsQuery({ ...question, metric: 'clicks' });
  const rows = await sql.rows<{ value: string | null; links: number }>(
    `select ${facts.value} as value, count(distinct f.link_id)::int as links ${facts.from} group by 1`,
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
