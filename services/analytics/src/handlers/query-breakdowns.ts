import type { One } from '@landfall/bus';
import type { BreakdownMetric, QueryBreakdowns } from '@landfall/contracts';
import { comparedWith } from '../domain/comparison.ts';
import { has } from '../domain/metrics.ts';
import { iso, isRefused, placed, questionOf, rangeView } from '../domain/question.ts';
import { sum } from '../domain/totals.ts';
import { type Breakdown, completeFrom, type FigureStore, type Part, type Question } from '../store.ts';

/** Counts by several dimensions. The groups are those of the first metric, and the others are counted for these groups. */
export function queryBreakdowns(store: FigureStore): One<typeof QueryBreakdowns> {
  return async (input, { now }) => {
    const { metrics, dimensions, limit } = input;
    const [metric, ...others] = metrics as [BreakdownMetric, ...BreakdownMetric[]];
    const asked = await questionOf(store, input, { metric, groupBy: null, limit, interval: 'total' }, now);
    if (isRefused(asked)) return { refusal: asked };
    const dimension = dimensions.find((dimension) => !has(metric, dimension));
    if (dimension !== undefined) return { refusal: { code: 'DIMENSION_UNKNOWN', facts: { dimension, metric } } };
    const { question, range } = asked;
    const all = dimensions.map((dimension) => ({ dimension, only: null }));
    const [first, coverage] = await Promise.all([store.breakdowns(question, all), store.coverage()]);
    const parts = first.map(({ groups }, i) => ({
      dimension: dimensions[i]!,
      only: groups.map(({ value }) => value),
    }));
    const period = comparedWith(
      range,
      { ...question, groupBy: parts[0]!.dimension },
      input,
      coverage?.factsFrom ?? null,
    );
    const before = period && { ...question, ...placed(period, now) };
    const [counted, totals, previous] = await Promise.all([
      Promise.all(others.map((other) => countParts(store, { ...question, metric: other }, parts))),
      Promise.all(metrics.map((one) => totalOf(store, { ...question, metric: one }))),
      before && Promise.all(metrics.map((one) => countParts(store, { ...before, metric: one }, parts))),
    ]);
    const figures = [first.map(numbersOf), ...counted];
    const completeOf = (of: readonly (Numbers | null)[]) =>
      completeFrom(
        coverage,
        of.flatMap((numbers) => numbers?.source ?? []),
      );
    return {
      reply: {
        ...rangeView(range),
        completeFrom: timeOf(completeOf(figures.flat())),
        previous: period &&
          previous && {
            from: iso(period.from),
            to: iso(period.to),
            complete: period.from >= (completeOf(previous.flat()) ?? 0),
          },
        metrics: metrics.map((metric, i) => ({ metric, total: totals[i]! })),
        breakdowns: parts.map(({ dimension, only }, place) => {
          const at = (of: readonly Counted[], value: string | null) => of.map((parts) => numberOf(parts[place], value));
          return {
            dimension,
            completeFrom: timeOf(completeOf(figures.map((of) => of[place]!))),
            groups: only.map((value) => ({
              value,
              name: null,
              totals: at(figures, value),
              previousTotals: previous && at(previous, value),
            })),
            groupCount: first[place]!.groupCount,
          };
        }),
      },
    };
  };
}

interface Numbers {
  readonly source: Breakdown['source'];
  readonly of: ReadonlyMap<string | null, number>;
}
/** For each part. Null: the metric does not have its dimension. */
type Counted = readonly (Numbers | null)[];

const numbersOf = ({ source, groups }: Breakdown): Numbers => ({
  source,
  of: new Map(groups.map(({ value, n }) => [value, n])),
});

const numberOf = (numbers: Numbers | null | undefined, value: string | null): number | null =>
  numbers ? (numbers.of.get(value) ?? 0) : null;

const hasFilters = ({ metric, filters }: Question): boolean => filters.every(({ dimension }) => has(metric, dimension));

async function countParts(store: FigureStore, question: Question, parts: readonly Part[]): Promise<Counted> {
  const known = hasFilters(question) ? parts.filter(({ dimension }) => has(question.metric, dimension)) : [];
  const found = known.length === 0 ? [] : await store.breakdowns(question, known);
  const places = new Map(known.map((part, place) => [part, place]));
  return parts.map((part) => {
    const place = places.get(part);
    return place === undefined ? null : numbersOf(found[place]!);
  });
}

const totalOf = async (store: FigureStore, question: Question): Promise<number | null> =>
  hasFilters(question) ? sum((await store.figures(question)).values) : null;

const timeOf = (ms: number | null): string | null => (ms === null ? null : iso(ms));
