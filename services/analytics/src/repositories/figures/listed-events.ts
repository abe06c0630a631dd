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

export async function listedEvents(sql: Sql, question: Question, listing: Listing): Promise<Listed> {
  if (listing.step !== null) await planSteps(sql);
  const [events, total] = [
    await pageOf(sql, question, listing),
    listing.after ? null : await countOf(sql, question, listing),
  ];
  return { total, events };
}

async function pageOf(sql: Sql, question: Question, { step, after }: Listing): Promise<CountedEvent[]> {
  const facts = factsQuery(question, shownOf(question.metric));
  const id = idOf(question.metric);
  const place = `(${facts.at}, ${id})`;
  const behind =
    after === null
      ? ''
      : `and ${place} < (${facts.parameter(after.at)}::timestamptz, ${facts.parameter(after.id)}::uuid)`;
  const rows = await sql.rows<Omit<CountedEvent, 'at'> & { at: Date }>(
    `${step === null ? '' : stepsOf(question, facts)}
     select ${id} as id, ${facts.at} as at, ${columnsOf(question.metric, facts.spelled)}
     ${facts.sources} ${joinOf(step)} ${facts.where} ${behind}
     order by ${facts.at} desc, ${id} desc limit ${facts.parameter(question.limit)}`,
    facts.values,
    'anew',
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

async function countOf(sql: Sql, question: Question, { step }: Listing): Promise<number> {
  const facts = factsQuery(question);
  const [row] = await sql.rows<{ n: number }>(
    `${step === null ? '' : stepsOf(question, facts)} select count(*)::int as n ${facts.sources} ${joinOf(step)} ${facts.where}`,
    facts.values,
    'anew',
  );
  return row!.n;
}

const joinOf = (step: FunnelStep | null): string =>
  step === null ? '' : `join steps s on s.at = f.at and s.id = f.id and s.${REACHED[step]}`;
