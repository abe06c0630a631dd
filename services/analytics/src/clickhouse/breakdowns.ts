import type { Breakdown, Part, Question } from '../store.ts';
import type { ClickHouse } from './clickhouse.ts';
import { factsQuery } from './facts-query.ts';

/** Reads the facts once, and counts them by each dimension. */
export async function breakdowns(
  clickhouse: ClickHouse,
  question: Question,
  parts: readonly Part[],
): Promise<Breakdown[]> {
  const facts = factsQuery(
    question,
    parts.map(({ dimension }) => dimension),
  );
  const columns = parts.map(
    ({ dimension }, place) => `(toUInt8(${place}), toNullable(toString(${facts.column(dimension)})))`,
  );
  const rows = await clickhouse.rows<{ place: number; value: string | null; n: number; groups: number }>(
    `select place, value, n, count() over (partition by place) as groups from (
       select part.1 as place, part.2 as value, count() as n
       from (select arrayJoin([${columns.join(', ')}]) as part ${facts.from}) group by place, value
     ) where ${wantedOf(parts, facts.add)}
     order by place, n desc, value is not null, value limit ${facts.add(question.limit, 'UInt32')} by place`,
    facts.values,
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return parts.map((_, place) => {
    const own = byPlace.get(place) ?? [];
    return { source: 'facts', groups: own.map(({ value, n }) => ({ value, n })), groupCount: own[0]?.groups ?? 0 };
  });
}

/** The condition for the groups that are wanted. No fact has an empty text as a value. */
function wantedOf(parts: readonly Part[], add: (value: unknown, type: string) => string): string {
  const conditions = parts.map(({ only }, place) =>
    only === null
      ? `place = ${place}`
      : `place = ${place} and has(${add(
          only.map((value) => value ?? ''),
          'Array(String)',
        )}, ifNull(value, ''))`,
  );
  return conditions.map((condition) => `(${condition})`).join(' or ');
}
