// The taps and installs of links on the last days.
import type { Sql } from '@landfall/db';
import { kinds } from '../../domain/fact.ts';
import { addDays } from '../../domain/zone.ts';
import type { FiguresOfLink, LinkQuestion } from '../../store.ts';

const COLUMNS = { clicks: 'clicks', installs: 'attributed_installs' } as const;

export async function figuresOfLinks(sql: Sql, question: LinkQuestion): Promise<FiguresOfLink[]> {
  const { appId, days, today, linkIds, sort, after, limit } = question;
  const dates = Array.from({ length: days }, (_, n) => addDays(today, -n));
  const values: unknown[] = [appId, dates];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const total = sort === null ? null : `sum(${COLUMNS[sort]})`;
  const having = [
    ...(total === null ? [] : [`${total} > 0`]),
    ...(after === null
      ? []
      : [`(-${total}, link_id) > (-${parameter(after.n)}::bigint, ${parameter(after.linkId)}::uuid)`]),
  ];
  const rows = await sql.rows<Omit<FiguresOfLink, 'lastTapAt'> & { lastTapAt: Date | null }>(
    `with found as materialized (
       select link_id, sum(clicks)::float8 as clicks, sum(attributed_installs)::float8 as installs
       from analytics.link_counts
       where app_id = $1 and day = any($2::date[]) ${linkIds === null ? '' : `and link_id = any(${parameter(linkIds)}::uuid[])`}
       group by link_id ${having.length === 0 ? '' : `having ${having.join(' and ')}`}
       ${total === null ? '' : `order by ${total} desc, link_id limit ${parameter(limit)}`}
     )
     select link_id as "linkId", clicks, installs, last.at as "lastTapAt" from found
     left join lateral (
       select at from analytics.facts f
       where f.app_id = $1 and f.link_id = found.link_id and f.kind = ${kinds.click} order by at desc limit 1
     ) last on true
     ${sort === null ? '' : `order by ${sort} desc, link_id`}`,
    values,
    'anew',
  );
  return rows.map((row) => ({ ...row, lastTapAt: row.lastTapAt?.toISOString() ?? null }));
}
