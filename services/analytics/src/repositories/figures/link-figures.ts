// Answers from the counts of links: about some links, or about the links with the greatest totals.
import type { Sql } from '@landfall/db';
import { isUuid, type LinkMetric, linkColumns } from '../../domain/metrics.ts';
import { addDays } from '../../domain/zone.ts';
import type { Figures, Question } from '../../store.ts';
import { type FigureRow, groupsOf, inOrderOf, ungrouped, valuesOf } from './rows-to-figures.ts';

/** Up to so many pairs of a link and a day are looked up one by one. More are found faster in a scan of the days. */
const MOST_LOOKUPS = 20_000;

/** @param all returns the values of all links together */
export async function linkFigures(sql: Sql, question: Question, all: () => Promise<number[]>): Promise<Figures> {
  const [filter] = question.filters;
  // Every count has a link: nothing equals null or another text.
  const wanted = filter === undefined ? null : filter.values.filter(isUuid);
  const [values, groups] = await Promise.all([
    wanted === null ? all() : numbersOf(sql, question, wanted).then((rows) => valuesOf(rows, question)),
    question.groupBy === null ? null : topLinks(sql, question, wanted),
  ]);
  const figures = ungrouped('counts', values);
  if (groups === null) return figures;
  const rows = await numbersByTotal(sql, question, groups);
  return { ...figures, groups: groupsOf(rows, question), groupCount: groups[0]?.links ?? 0 };
}

const columnOf = ({ metric }: Question): string => linkColumns[metric as LinkMetric];
const daysOf = ({ zone, buckets, to }: Question): [string, string] => [zone.at(buckets[0]!).day, zone.at(to - 1).day];

interface Total {
  readonly value: string;
  readonly n: number;
  /** How many links have any. */
  readonly links: number;
}

const topLinks = (sql: Sql, question: Question, wanted: readonly unknown[] | null): Promise<Total[]> =>
  sql.rows<Total>(
    `select link_id::text as value, sum(${columnOf(question)})::float8 as n, count(*) over ()::int as links
     from analytics.link_counts
     where app_id = $1 and day between $2::date and $3::date ${wanted === null ? '' : 'and link_id = any($5::uuid[])'}
     group by link_id having sum(${columnOf(question)}) > 0 order by n desc, link_id limit $4`,
    [question.appId, ...daysOf(question), question.limit, ...(wanted === null ? [] : [wanted])],
    'anew',
  );

/** The numbers of each bucket, in the order of the links. */
async function numbersByTotal(sql: Sql, question: Question, top: readonly Total[]): Promise<FigureRow[]> {
  if (question.buckets.length === 1) return top.map(({ value, n }) => ({ value, n, bucket: 1 }));
  const links = top.map(({ value }) => value);
  return inOrderOf(links, await numbersOf(sql, question, links));
}

async function numbersOf(sql: Sql, question: Question, links: readonly unknown[]): Promise<FigureRow[]> {
  const { appId, zone, buckets } = question;
  const [first, last] = daysOf(question);
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  const counts =
    days.length * links.length <= MOST_LOOKUPS
      ? `unnest($3::uuid[]) as l(id) cross join unnest($2::date[]) as d(day)
         join analytics.link_counts c on c.app_id = $1 and c.day = d.day and c.link_id = l.id`
      : `analytics.link_counts c where c.app_id = $1 and c.day between ($2::date[])[1] and ($2::date[])[cardinality($2)]
         and c.link_id = any($3::uuid[])`;
  return sql.rows<FigureRow>(
    `select c.link_id::text as value, width_bucket(c.day, $4::date[]) as bucket,
       sum(c.${columnOf(question)})::float8 as n
     from ${counts} group by 1, 2`,
    [appId, days, links, buckets.map((ms) => zone.at(ms).day)],
    'anew',
  );
}
