// Answers from single facts: several dimensions at once, hours by a dimension, parts of a day, unique visitors by a
// dimension.
import type { AnalyticsDimension, AnalyticsMetric, FixedDimension } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { columns, isOfClick, labelOf, metrics } from '../../domain/metrics.ts';
import type { Figures, Filter, Question } from '../../store.ts';
import { type FigureRow, groupsOf, valuesOf } from './rows-to-figures.ts';

export async function factFigures(sql: Sql, question: Question): Promise<Figures> {
  const rows = await read(sql, question);
  const values = valuesOf(
    rows.filter(({ isAll }) => isAll),
    question,
  );
  if (question.groupBy === null) return { source: 'facts', values, groups: null, groupCount: 0 };
  const groups = rows.filter(({ isAll }) => !isAll);
  const { metric } = question;
  // A visitor may be in several groups, and counts once among all.
  const all = metric === 'visitors' ? await factFigures(sql, { ...question, groupBy: null }) : { values };
  return {
    source: 'facts',
    values: all.values,
    groups: groupsOf(groups, question),
    groupCount: groups[0]?.groups ?? 0,
  };
}

interface Row extends FigureRow {
  readonly groups: number;
  /** True for the number of all groups together, also of those above the limit. */
  readonly isAll: boolean;
}

/** Reads the facts once, for the groups and for all together. */
async function read(sql: Sql, question: Question): Promise<Row[]> {
  const { groupBy, buckets, metric } = question;
  const facts = factsOf(question);
  const bucket = `width_bucket(${facts.at}, ${facts.parameter(buckets.map((ms) => new Date(ms)))}::timestamptz[])`;
  const value = groupBy === null ? 'null::text' : facts.column(groupBy);
  const limit = facts.parameter(question.limit);
  // Distinct visitors are hashed in a step of their own: `count(distinct)` sorts them, which takes longer.
  const counted =
    metric === 'visitors'
      ? `select bucket, value, count(*) as n from (
           select distinct ${bucket} as bucket, ${value} as value, ${facts.visitor} as visitor ${facts.from}
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

/** The parts of a statement about the facts of a question. */
export interface Facts {
  /** `from … where …` */
  readonly from: string;
  /** The column with the time. */
  readonly at: string;
  readonly visitor: string;
  /** Returns the expression of a dimension, as text. */
  column(dimension: AnalyticsDimension): string;
  /** Adds a value, and returns its name in the statement. */
  parameter(value: unknown): string;
  readonly values: unknown[];
}

const tables: Readonly<Record<string, { table: string; at: string; condition: string }>> = {
  attributedInstalls: { table: 'analytics.installs f', at: 'f.installed_at', condition: 'f.restored_at is not null' },
  storeRedirects: { table: 'analytics.facts f', at: 'f.at', condition: 'f.to_store' },
};

export function factsOf({
  appId,
  metric,
  buckets,
  to,
  filters,
  groupBy,
}: Pick<Question, 'appId' | 'metric' | 'buckets' | 'to' | 'filters' | 'groupBy'>): Facts {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { table, at, condition } = tables[metric] ?? { table: 'analytics.facts f', at: 'f.at', condition: '' };
  const dimensions = [...filters.map(({ dimension }) => dimension), ...(groupBy === null ? [] : [groupBy])];
  const column = (dimension: AnalyticsDimension) => columnOf(metric, dimension, parameter);
  const conditions = [
    `f.app_id = ${parameter(appId)}`,
    `${at} >= ${parameter(new Date(buckets[0]!))}`,
    `${at} < ${parameter(new Date(to))}`,
    ...(table.includes('facts') ? [`f.kind = ${metrics[metric].kind}`] : []),
    ...(condition === '' ? [] : [condition]),
    ...filters.map((filter) => conditionOf(filter, column, parameter)),
  ];
  const join = dimensions.some((dimension) => isOfClick(metric, dimension)) ? CLICK : '';
  return {
    from: `from ${table} ${join} where ${conditions.join(' and ')}`,
    at,
    visitor: 'f.visitor',
    column,
    parameter,
    values,
  };
}

/** The click that led to a fact. Its time is in the key of the table. */
const CLICK = 'left join analytics.facts c on c.at = f.clicked_at and c.id = f.click_id';

function columnOf(
  metric: AnalyticsMetric,
  dimension: AnalyticsDimension,
  parameter: (value: unknown) => string,
): string {
  const source = isOfClick(metric, dimension) ? 'c' : 'f';
  const label = labelOf(dimension);
  if (label !== null) return `(${source}.labels ->> ${parameter(label)})`;
  const column = `${source}.${columns[dimension as FixedDimension]}`;
  return dimension === 'link' ? `${column}::text` : column;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function conditionOf(
  { dimension, values }: Filter,
  column: (dimension: AnalyticsDimension) => string,
  parameter: (value: unknown) => string,
): string {
  const given = values.filter((value) => value !== null);
  const lacks = values.includes(null) ? `${column(dimension)} is null` : 'false';
  if (dimension !== 'link') return `(${column(dimension)} = any(${parameter(given)}::text[]) or ${lacks})`;
  // As a UUID, so that the index by link is used.
  return `(f.link_id = any(${parameter(given.filter((value) => UUID.test(value)))}::uuid[]) or ${lacks})`;
}
