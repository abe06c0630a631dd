import type { AnalyticsDimension } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { ALL, NO_VALUE } from '../../domain/counting.ts';
import { isFolded, isSparse } from '../../domain/metrics.ts';
import type { Figures, Question } from '../../store.ts';
import { folded, foldedValues } from './facts-query.ts';
import { linkFigures } from './link-figures.ts';
import { type FigureRow, groupsOf, inOrderOf, ungrouped, valuesOf, withoutValue } from './rows-to-figures.ts';

export async function countedFigures(sql: Sql, question: Question): Promise<Figures> {
  if (!question.wholeDays) return fromHours(sql, question);
  if (dimensionOf(question) === 'link') return linkFigures(sql, question, () => dayValues(sql, question));
  const { groupBy } = question;
  const [values, groups] = await Promise.all([
    dayValues(sql, question),
    groupBy === null ? null : dayGroups(sql, question),
  ]);
  const figures = ungrouped('counts', values);
  if (groups === null) return figures;
  const { rows, count: groupCount, known } = groups;
  return withoutValue({ ...figures, groups: groupsOf(rows, question), groupCount }, known, question);
}

/** These questions have at most one dimension. */
const dimensionOf = ({ filters, groupBy }: Question): AnalyticsDimension | null =>
  filters[0]?.dimension ?? groupBy ?? null;

async function fromHours(sql: Sql, question: Question): Promise<Figures> {
  const { appId, metric, buckets, to } = question;
  const rows = await sql.rows<{ bucket: number; n: string }>(
    `select width_bucket(hour, $3::timestamptz[]) as bucket, sum(n) as n from analytics.hour_counts
     where app_id = $1 and metric = $2 and hour >= $4 and hour < $5 group by 1`,
    [appId, metric, buckets.map((ms) => new Date(ms)), new Date(buckets[0]!), new Date(to)],
  );
  return ungrouped('counts', valuesOf(rows.map(toRow), question));
}

const toRow = ({ bucket, value, n }: { bucket: number; value?: string | null; n: string }): FigureRow => ({
  bucket,
  value: value === NO_VALUE ? null : (value ?? null),
  n: Number(n),
});

const foldsOf = (question: Question): boolean => {
  const dimension = dimensionOf(question);
  return !question.exact && dimension !== null && isFolded(dimension);
};
const textOf = (question: Question): string => (foldsOf(question) ? folded('value') : 'value');

/** The condition for the values of {@link valuesFor}. One statement for all would have one plan for all. */
function whereOf(question: Question): string {
  const range = 'app_id = $1 and metric = $2 and day >= $4::date and day <= $5::date and dimension = $3';
  if (question.filters.length === 0) return `${range} and $6::text[] is null`;
  return `${range} and ${textOf(question)} = any(${foldsOf(question) ? foldedValues('$6') : '$6::text[]'})`;
}

function valuesFor({ appId, metric, zone, buckets, to, filters, groupBy }: Question) {
  const [filter] = filters;
  return [
    appId,
    metric,
    filter?.dimension ?? groupBy ?? ALL,
    zone.at(buckets[0]!).day,
    zone.at(to - 1).day,
    filter === undefined ? null : filter.values.map((value) => value ?? NO_VALUE),
    buckets.map((ms) => zone.at(ms).day),
  ];
}

/** Without a filter, the count of all facts has the answer in few rows. */
const dayValues = (sql: Sql, question: Question): Promise<number[]> =>
  sumsByDay(sql, question, valuesFor({ ...question, groupBy: null }));

async function sumsByDay(sql: Sql, question: Question, values: readonly unknown[]): Promise<number[]> {
  const rows = await sql.rows<{ bucket: number; n: string }>(
    `select width_bucket(day, $7::date[]) as bucket, sum(n) as n
     from analytics.day_counts where ${whereOf(question)} group by 1`,
    values,
  );
  return valuesOf(rows.map(toRow), question);
}

async function dayGroups(sql: Sql, question: Question) {
  const top = await topGroups(sql, question);
  const rows = await numbersByTotal(sql, question, top);
  return { rows, count: top[0]?.groups ?? 0, known: await sparseValues(sql, question, top) };
}

interface Top {
  readonly value: string;
  readonly n: string;
  /** How many groups there are, and the sum of all of them. */
  readonly groups: number;
  readonly all: string;
}

const topGroups = (sql: Sql, question: Question): Promise<Top[]> =>
  sql.rows<Top>(
    `select ${textOf(question)} as value, sum(n) as n, count(*) over ()::int as groups, sum(sum(n)) over () as "all"
     from analytics.day_counts where ${whereOf(question)} and $7::date[] is not null
     group by 1 having sum(n) > 0 order by 2 desc, 1 limit $8`,
    [...valuesFor(question), question.limit],
  );

/** Returns the numbers of each bucket: of few groups, also when there are thousands. */
async function numbersByTotal(sql: Sql, question: Question, top: readonly Top[]): Promise<FigureRow[]> {
  if (question.buckets.length === 1) return top.map(({ value, n }) => toRow({ bucket: 1, value, n }));
  const values = top.map(({ value }) => value);
  const shown = { ...question, filters: [{ dimension: dimensionOf(question)!, values }] };
  const rows = await sql.rows<{ bucket: number; value: string; n: string }>(
    `select width_bucket(day, $7::date[]) as bucket, ${textOf(shown)} as value, sum(n) as n
     from analytics.day_counts where ${whereOf(shown)} group by 1, 2`,
    valuesFor(shown),
  );
  return inOrderOf(values, rows).map(toRow);
}

/** Returns the sum of all groups of a sparse dimension, also of those above the limit. */
async function sparseValues(sql: Sql, question: Question, top: readonly Top[]): Promise<number[]> {
  if (question.groupBy === null || !isSparse(question.metric, question.groupBy)) return [];
  if (question.buckets.length === 1) return [Number(top[0]?.all ?? 0)];
  return sumsByDay(sql, question, valuesFor(question));
}
