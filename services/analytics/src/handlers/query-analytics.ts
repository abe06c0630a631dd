import type { One } from '@landfall/bus';
import type { QueryAnalytics } from '@landfall/contracts';
import { comparedWith } from '../domain/comparison.ts';
import { iso, isRefused, ofGroups, placed, questionOf, rangeView } from '../domain/question.ts';
import type { Bucketed } from '../domain/range.ts';
import { type Life, sum, type Totalled, type TotalledGroup, totalled } from '../domain/totals.ts';
import { completeFrom, type FigureStore, type Question } from '../store.ts';

export function queryAnalytics(store: FigureStore): One<typeof QueryAnalytics> {
  return async (input, { now }) => {
    const life = { since: input.appSince === null ? null : Date.parse(input.appSince), now };
    const asked = await questionOf(store, input, input, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question, range } = asked;
    const [found, coverage] = await Promise.all([totalled(store, question, range, life), store.coverage()]);
    const period = comparedWith(range, question, input, coverage?.factsFrom ?? null);
    const previous = period && (await previousOf(store, question, period, found, life));
    const complete = completeFrom(coverage, [found.source]);
    return {
      reply: {
        ...rangeView(range),
        buckets: range.buckets.map(iso),
        total: found.total,
        values: [...found.values],
        previous: previous && {
          from: iso(previous.from),
          to: iso(previous.to),
          complete: previous.from >= (completeFrom(coverage, previous.sources) ?? 0),
          total: previous.total,
          values: aligned(previous.values, range.buckets.length),
        },
        groups: found.groups?.map((group) => groupView(group, previous)) ?? null,
        other: otherOf(found, question),
        completeFrom: complete === null ? null : iso(complete),
        source: found.source,
      },
    };
  };
}

async function previousOf(store: FigureStore, question: Question, period: Bucketed, found: Totalled, life: Life) {
  const asked = { ...question, ...placed(period, life.now) };
  const [all, groups] = await Promise.all([
    totalled(store, { ...asked, groupBy: null }, period, life),
    found.groups === null ? null : totalled(store, ofGroups(asked, found.groups), period, life),
  ]);
  const sources = groups === null ? [all.source] : [all.source, groups.source];
  const { from, to } = period;
  return { from, to, sources, total: all.total, values: all.values, groups: groups?.groups ?? null };
}

type Previous = Awaited<ReturnType<typeof previousOf>> | null;
function groupView({ value, values, total }: TotalledGroup, previous: Previous) {
  const before = previous?.groups?.find((group) => group.value === value);
  return {
    value,
    name: null,
    total,
    values: [...values],
    previousTotal: previous === null ? null : (before?.total ?? 0),
  };
}

/** The period before may have a day more or less, when the clock was changed or a month is shorter. */
const aligned = (values: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, i) => values[i] ?? 0);

/** Returns what the groups leave over. Visitors of several groups are no sum. */
function otherOf({ groups, groupCount, values }: Totalled, { metric }: Question) {
  if (groups === null || metric === 'visitors' || groupCount <= groups.length) return null;
  const rest = values.map((n, i) => n - sum(groups.map((group) => group.values[i]!)));
  return { groups: groupCount - groups.length, total: sum(rest), values: rest };
}
