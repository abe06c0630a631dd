// Adds up what facts change in the counts.
import type { AnalyticsMetric } from '@landfall/contracts';
import type { Fact } from './fact.ts';
import { LABEL, metrics, metricsOf } from './metrics.ts';
import type { LocalTime } from './zone.ts';

export interface DayCount {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  readonly dimension: string;
  readonly day: string;
  readonly value: string;
  n: number;
}

export interface HourCount {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  /** Milliseconds. */
  readonly hour: number;
  n: number;
}

/** The dimension of a count of all facts. */
export const ALL = 'all';
/** The value of facts without one. No fact has an empty text as a value. */
export const NO_VALUE = '';

/** The values of a fact by which it is counted. */
export type Counted = Pick<Fact, 'appId' | 'labels'> & { readonly [column: string]: unknown };

/** Collects changes of counts: one for each count, however many facts change it. */
export function createTally() {
  const days = new Map<string, DayCount>();
  const hours = new Map<string, HourCount>();

  function addDay(appId: string, metric: AnalyticsMetric, dimension: string, day: string, value: string, n: number) {
    const key = `${appId} ${metric} ${dimension} ${day} ${value}`;
    const known = days.get(key);
    if (known === undefined) days.set(key, { appId, metric, dimension, day, value, n });
    else known.n += n;
  }

  function addTotal(appId: string, metric: AnalyticsMetric, { day, hour }: LocalTime, n: number) {
    addDay(appId, metric, ALL, day, NO_VALUE, n);
    const key = `${appId} ${metric} ${hour}`;
    const known = hours.get(key);
    if (known === undefined) hours.set(key, { appId, metric, hour, n });
    else known.n += n;
  }

  return {
    /** Adds to a metric, in total and by each of its dimensions. */
    add(metric: AnalyticsMetric, facts: Counted, local: LocalTime, n = 1) {
      const { appId } = facts;
      addTotal(appId, metric, local, n);
      for (const dimension of metrics[metric].dimensions) {
        const value = facts[dimension === 'link' ? 'linkId' : dimension] as string | null;
        addDay(appId, metric, dimension, local.day, value ?? NO_VALUE, n);
      }
      if (metrics[metric].labels && facts.labels !== null) {
        for (const [key, value] of Object.entries(facts.labels))
          addDay(appId, metric, `${LABEL}${key}`, local.day, value, n);
      }
    },
    /** Adds to a day of a metric that is counted by no dimension and no hour. */
    addToDay: (appId: string, metric: AnalyticsMetric, day: string, n: number) =>
      addDay(appId, metric, ALL, day, NO_VALUE, n),
    /** The changes, in the one order in which every process locks the rows. */
    dayCounts: () => sorted(days).filter(({ n }) => n !== 0),
    hourCounts: () => sorted(hours).filter(({ n }) => n !== 0),
  };
}
export type Tally = ReturnType<typeof createTally>;

const sorted = <T>(counts: Map<string, T>): T[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, count]) => count);

/** Counts facts, each for its metrics. */
export function countFacts(tally: Tally, facts: readonly Fact[], localOf: (fact: Fact) => LocalTime): void {
  for (const fact of facts) {
    const local = localOf(fact);
    for (const metric of metricsOf(fact)) tally.add(metric, fact as unknown as Counted, local);
  }
}
