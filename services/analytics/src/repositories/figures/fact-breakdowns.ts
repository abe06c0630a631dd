import type { Sql } from '@landfall/db';
import type { Breakdown, Part, Question } from '../../store.ts';
import { factsQuery } from './facts-query.ts';

/** Reads the facts once, and counts them by each dimension. */
export async function factBreakdowns(sql: Sql, question: Question, parts: readonly Part[]): Promise<Breakdown[]> {
  const facts = factsQuery(
    question,
    parts.map(({ dimension }) => dimension),
  );
  const columns = parts.map(({ dimension }, place) => `(${place}, ${facts.column(dimension)})`);
  const rows = await sql.rows<{ place: number; value: string | null; n: string; groups: number }>(
    `with counted as materialized (
       select u.place, u.value, count(*) as n
       ${facts.sources} cross join lateral (values ${columns.join(', ')}) u(place, value) ${facts.where} group by 1, 2
     ), wanted as (
       select * from counted where ${wantedOf(parts, facts.parameter)}
     ), ranked as (
       select *, count(*) over (partition by place)::int as groups,
         row_number() over (partition by place order by n desc, value nulls first) as rank
       from wanted
     )
     select place, value, n::text, groups from ranked where rank <= ${facts.parameter(question.limit)}
     order by place, rank`,
    facts.values,
    'anew',
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return parts.map((_, place) => {
    const own = byPlace.get(place) ?? [];
    return {
      source: 'facts',
      groups: own.map(({ value, n }) => ({ value, n: Number(n) })),
      groupCount: own[0]?.groups ?? 0,
    };
  });
}

/** The condition for the groups that are wanted. No fact has an empty text as a value. */
function wantedOf(parts: readonly Part[], parameter: (value: unknown) => string): string {
  const all = parts.flatMap(({ only }, place) => (only === null ? [place] : []));
  const pairs = parts.flatMap(({ only }, place) => (only ?? []).map((value) => ({ place, value: value ?? '' })));
  return `(place = any(${parameter(all)}::int[]) or (place, coalesce(value, '')) in (
    select * from unnest(${parameter(pairs.map(({ place }) => place))}::int[],
      ${parameter(pairs.map(({ value }) => value))}::text[])
  ))`;
}
