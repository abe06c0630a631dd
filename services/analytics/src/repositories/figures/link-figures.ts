// Answers from the counts of links: about some links, or about the links with the greatest totals.
import type { Sql } from '@landfall/db';
import { type LinkMetric, linkColumns } from '../../domain/metrics.ts';
import { addDays } from '../../domain/zone.ts';
import type { Figures, Question } from '../../store.ts';
import { type FigureRow, groupsOf, valuesOf } from './rows-to-figures.ts';

/** Up to so many pairs of a link and a day are looked up one by one. More are found faster in a scan of the days. */
const MOST_LOOKUPS = 20_000;

/** @param all returns the values of all links together */
export async function linkFigures(sql: Sql, question: Question, all: () => Promise<number[]>): Promise<Figures> {
  const [filter] = question.filters;
  const wanted = filter === undefined ? null : idsOf(filter.values);
  const [values, groups] = await Promise.all([
    wanted === null ? all() : numbersOf(sql, question, wanted).then((rows) => valuesOf(rows, question)),
    question.groupBy === null ? null : topLinks(sql, question, wanted),
  ]);
  if (groups === null) return { source: 'counts', values, groups: null, groupCount: 0 };
  const rows = await numbersByTotal(sql, question, groups.top);
  return { source: 'counts', values, groups: groupsOf(rows, question), groupCount: groups.count };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Every count has a link: nothing equals null or another text. */
const idsOf = (values: readonly (string | null)[]) => values.filter((value) => value !== null && UUID.test(value));

const columnOf = ({ metric }: Question): string => linkColumns[metric as LinkMetric];
const daysOf = ({ zone, buckets, to }: Question): [string, string] => [zone.at(buckets[0]!).day, zone.at(to - 1).day];

interface Total {
  readonly value: string;
  readonly n: number;
}

/** Returns the links with the greatest totals, and how many links have any. */
async function topLinks(sql: Sql, question: Question, wanted: readonly unknown[] | null) {
  const rows = await sql.rows<Total & { links: number }>(
    `select link_id::text as value, sum(${columnOf(question)})::float8 as n, count(*) over ()::int as links
     from analytics.link_counts
     where app_id = $1 and day between $2::date and $3::date ${wanted === null ? '' : 'and link_id = any($5::uuid[])'}
     group by link_id having sum(${columnOf(question)}) > 0 order by n desc, link_id limit $4`,
    [question.appId, ...daysOf(question), question.limit, ...(wanted === null ? [] : [wanted])],
    'anew',
  );
  return { top: rows, count: rows[0]?.links ?? 0 };
}

/** Returns the numbers of each bucket, in the order of the links. */
async function numbersByTotal(sql: Sql, question: Question, top: readonly Total[]): Promise<FigureRow[]> {
  if (question.buckets.length === 1) return top.map((total) => ({ ...total, bucket: 1 }));
  const links = top.map(({ value }) => value);
  const places = new Map(links.map((link, place) => [link, place]));
  const rows = await numbersOf(sql, question, links);
  return rows.sort((a, b) => places.get(a.value!)! - places.get(b.value!)!);
}

/** Returns the numbers of some links, by link and bucket. */
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
