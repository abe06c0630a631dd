import type { One } from '@landfall/bus';
import { type AnalyticsMetric, funnelSteps, type QueryFunnel } from '@landfall/contracts';
import { has } from '../domain/metrics.ts';
import { dimensionsOf, iso, isRefused, ofGroups, questionOf, rangeView } from '../domain/question.ts';
import { sum } from '../domain/totals.ts';
import type { FigureStore, Question } from '../store.ts';

type Step = (typeof funnelSteps)[number];

/** The metric of each step. Only installs that a link led to are a step after a click. */
const metricOf: Readonly<Record<Step, AnalyticsMetric>> = {
  clicks: 'clicks',
  storeRedirects: 'storeRedirects',
  installs: 'attributedInstalls',
  restores: 'restores',
  opens: 'opens',
};
/** Steps whose events name the click that led to them. */
const timed: ReadonlySet<Step> = new Set<Step>(['installs', 'restores']);

/** Counts each step in the range, by one dimension of the clicks. */
export function queryFunnel(store: FigureStore): One<typeof QueryFunnel> {
  return async (input, { now }) => {
    const asked = await questionOf(store, input, { ...input, metric: 'clicks', interval: 'total' }, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question: clicks, range } = asked;
    const [found, coverage] = await Promise.all([store.figures(clicks), store.coverage()]);
    const shown = found.groups === null ? clicks : ofGroups(clicks, found.groups);
    const steps = await Promise.all(funnelSteps.map((step) => countStep(store, step, shown)));
    const values = found.groups?.map(({ value }) => value) ?? [null];
    return {
      reply: {
        ...rangeView(range),
        groups: values.map((value) => ({ value, name: null, steps: steps.map((countOf) => countOf(value)) })),
        completeFrom: coverage && iso(coverage.factsFrom),
      },
    };
  };
}

/** Returns a function for the numbers of a step in a group. */
async function countStep(store: FigureStore, step: Step, clicks: Question) {
  const metric = metricOf[step];
  if (!dimensionsOf(clicks).every((dimension) => has(metric, dimension)))
    return () => ({ step, count: null, sinceClick: null });
  const question = { ...clicks, metric };
  const [figures, delays] = await Promise.all([
    store.figures(question),
    timed.has(step) ? store.delays(question) : undefined,
  ]);
  const counts = new Map(
    figures.groups?.map(({ value, values }) => [value, sum(values)]) ?? [[null, sum(figures.values)]],
  );
  return (value: string | null) => ({ step, count: counts.get(value) ?? 0, sinceClick: delays?.get(value) ?? null });
}
