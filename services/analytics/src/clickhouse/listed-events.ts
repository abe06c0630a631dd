// The events that a figure counts, one by one.
import type { CountedEvent } from '@landfall/contracts';
import { columnsOf, idOf, shownOf } from '../domain/listed.ts';
import type { FunnelStep, Listed, Listing, Question } from '../store.ts';
import type { ClickHouse } from './clickhouse.ts';
import { factsQuery } from './facts-query.ts';
import { stepsOf } from './funnel.ts';

/** The column of a step among the steps of a click. */
const REACHED = { restores: 'restored', installs: 'installed', opens: 'opened' } as const satisfies Record<
  FunnelStep,
  string
>;

export async function listedEvents(clickhouse: ClickHouse, question: Question, listing: Listing): Promise<Listed> {
  const [events, total] = await Promise.all([
    pageOf(clickhouse, question, listing),
    listing.after === null ? countOf(clickhouse, question, listing) : null,
  ]);
  return { total, events };
}

async function pageOf(clickhouse: ClickHouse, question: Question, { step, after }: Listing): Promise<CountedEvent[]> {
  const facts = factsQuery(question, shownOf(question.metric));
  const id = `toString(${idOf(question.metric)})`;
  const conditions = [
    ...(step === null ? [] : [reached(question, facts, step)]),
    ...(after === null
      ? []
      : [
          `(f.at, ${id}) < (fromUnixTimestamp64Milli(${facts.add(after.at.getTime(), 'Int64')}, 'UTC'), ${facts.add(after.id, 'String')})`,
        ]),
  ];
  return clickhouse.rows<CountedEvent>(
    `select ${id} as id, f.at as at, ${columnsOf(question.metric, facts.spelled)} ${facts.where(conditions)}
     order by f.at desc, ${id} desc limit ${facts.add(question.limit, 'UInt32')}`,
    facts.values,
  );
}

async function countOf(clickhouse: ClickHouse, question: Question, { step }: Listing): Promise<number> {
  const facts = factsQuery(question);
  const conditions = step === null ? [] : [reached(question, facts, step)];
  const [row] = await clickhouse.rows<{ n: number }>(`select count() as n ${facts.where(conditions)}`, facts.values);
  return row!.n;
}

const reached = (question: Question, facts: ReturnType<typeof factsQuery>, step: FunnelStep): string =>
  `f.id in (select id from (${stepsOf(question, facts)}) where ${REACHED[step]})`;
