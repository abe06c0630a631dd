// Reads what is common to all questions: the range, the filters, and whether the metric has the dimensions.
import type { AnalyticsDimension, AnalyticsFilter, AnalyticsInterval, AnalyticsMetric } from '@landfall/contracts';
import type { Filter, Question } from '../store.ts';
import { has } from './metrics.ts';
import { type Bucketed, bucketed, isWholeDays, isWholeHours, type RangeRefusal, rangeOf } from './range.ts';
import type { Zone } from './zone.ts';

export type Refusal = RangeRefusal | { code: 'DIMENSION_UNKNOWN'; facts: { dimension: string; metric: string } };

export interface Asked {
  readonly appId: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: readonly AnalyticsFilter[];
}

/** Returns the range in buckets, or the reason why there is no answer. */
export function bucketsOf(zone: Zone, asked: Asked, interval: AnalyticsInterval, now: Date): Bucketed | RangeRefusal {
  const range = rangeOf(zone, asked.from, asked.to, now);
  const days = bucketed(range, 'day');
  // Visitors and cohorts are counted by day, whatever the interval.
  return isRefused(days) ? days : bucketed(range, interval);
}

export const isRefused = <T extends object>(result: T | Refusal): result is Refusal => 'code' in result;

/** Returns the refusal for the first dimension that a metric does not have. */
export function unknownDimension(
  metric: AnalyticsMetric,
  filters: readonly AnalyticsFilter[],
  groupBy: AnalyticsDimension | null,
): Refusal | null {
  const asked = [...(groupBy === null ? [] : [groupBy]), ...filters.map(({ dimension }) => dimension)];
  const dimension = asked.find((dimension) => !has(metric, dimension));
  return dimension === undefined ? null : { code: 'DIMENSION_UNKNOWN', facts: { dimension, metric } };
}

/** Joins filters of one dimension: their values are alternatives. */
export function joined(filters: readonly AnalyticsFilter[]): Filter[] {
  return [...Map.groupBy(filters, ({ dimension }) => dimension)].map(([dimension, same]) => ({
    dimension,
    values: same.map(({ value }) => (dimension === 'link' ? (value?.toLowerCase() ?? null) : value)),
  }));
}

type Placed = Pick<Question, 'zone' | 'buckets' | 'to' | 'wholeDays' | 'wholeHours'>;

/** Returns the parts of a question that follow from its buckets. */
export function placed(range: Bucketed, now: Date): Placed {
  const { zone, buckets, to, interval } = range;
  const wholeDays = interval !== 'hour' && isWholeDays(range, now);
  return { zone, buckets, to, wholeDays, wholeHours: isWholeHours(range, now) };
}

export const iso = (ms: number): string => new Date(ms).toISOString();
