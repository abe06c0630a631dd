// The events that a figure counts, one by one.
import type { CountedEvent } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { columnsOf, idOf, shownOf } from '../../domain/listed.ts';
import type { FunnelStep, Listed, Listing, Question } from '../../store.ts';
import { factsQuery } from './facts-query.ts';
import { planSteps, stepsOf } from './funnel.ts';

/** The column of a step in `steps`. */
const REACHED = { restores: 'restored', installs: 'installed', opens: 'opened' } as const satisfies Record<
  FunnelStep,
  string
>;

export const listedEvents = (sql: Sql, question: Question, { step, after }: Listing): Promise<Listed> =>
  step === null ? countedBy(sql, question, after) : thatReached(sql, question, REACHED[step], after);

type Row = Omit<CountedEvent, 'at'> & { at: Date };
type After = Listing['after'];

async function countedBy(sql: Sql, question: Question, after: After): Promise<Listed> {
  const facts = factsQuery(question, shownOf(question.metric));
  const id = idOf(question.metric);
  const rows = await sql.rows<Row>(
    `select ${id} as id, ${facts.at} as at, ${columnsOf(question.metric, facts.spelled)}
     ${facts.from} ${behind(after, `${facts.at}, ${id}`, facts)}
     order by ${facts.at} desc, ${id} desc limit ${facts.parameter(question.limit)}`,
    facts.values,
    'anew',
  );
  return { total: after === null ? await countOf(sql, question) : null, events: rows.map(toEvent) };
}

async function countOf(sql: Sql, question: Question): Promise<number> {
  const facts = factsQuery(question);
  const [row] = await sql.rows<{ n: number }>(`select count(*)::int as n ${facts.from}`, facts.values, 'anew');
  return row!.n;
}

/** Follows all clicks once, for the page and for the total. Only the facts of the page are read again. */
async function thatReached(sql: Sql, question: Question, reached: string, after: After): Promise<Listed> {
  await planSteps(sql);
  const facts = factsQuery(question, shownOf(question.metric));
  const rows = await sql.rows<Row & { total: number }>(
    `${stepsOf(question, facts)}, reached as materialized (
       select at, id from steps where ${reached}
     ), page as materialized (
       select at, id from reached where true ${behind(after, 'at, id', facts)}
       order by at desc, id desc limit ${facts.parameter(question.limit)}
     )
     select f.id, f.at, ${columnsOf(question.metric, facts.spelled)}, (select count(*)::int from reached) as total
     from page cross join lateral (
       select * from analytics.facts f where f.at = page.at and f.id = page.id limit 1
     ) f order by f.at desc, f.id desc`,
    facts.values,
    'anew',
  );
  const events = rows.map(({ total, ...row }) => toEvent(row));
  return { total: after === null ? (rows[0]?.total ?? 0) : null, events };
}

const behind = (after: After, place: string, { parameter }: ReturnType<typeof factsQuery>): string =>
  after === null ? '' : `and (${place}) < (${parameter(after.at)}::timestamptz, ${parameter(after.id)}::uuid)`;

const toEvent = (row: Row): CountedEvent => ({ ...row, at: row.at.toISOString() });
