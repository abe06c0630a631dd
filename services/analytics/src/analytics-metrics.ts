import type { MetricDefinition, Metrics } from '@landfall/runtime';

export const analyticsMetricTable = {
  others: {
    name: 'landfall_analytics_others_total',
    type: 'counter',
    labels: [],
    help: 'Counts of events whose value had no place among the 1,000 of its dimension and day, and which are counted as `(other)`.',
  },
} as const satisfies Record<string, MetricDefinition>;

export type CountOthers = (n: number) => void;

export function othersMetric(metrics: Pick<Metrics, 'count'> | undefined): CountOthers {
  return metrics?.count(analyticsMetricTable.others) ?? (() => {});
}
