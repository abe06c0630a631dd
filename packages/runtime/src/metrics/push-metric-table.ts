// The metrics of the delivery queue of push. The table is here so that docs/reference/metrics.md and the dashboard can
// be made from it without the service.
import type { MetricDefinition } from './metric-table.ts';

export const pushMetricTable = {
  attempts: {
    name: 'landfall_push_attempts_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Pushes that were given to a provider, by what it said: sent, drop, fail, pause, wait, retry, or unknown when no answer came.',
  },
  pushes: {
    name: 'landfall_pushes_total',
    type: 'counter',
    labels: ['kind', 'state'],
    help: 'Pushes that came to an end: sent (the provider took it), logged, failed, unknown.',
  },
  dropped: {
    name: 'landfall_push_tokens_dropped_total',
    type: 'counter',
    labels: ['kind'],
    help: 'Device tokens that are of no use any more, as a provider said.',
  },
  underWay: {
    name: 'landfall_pushes_under_way',
    type: 'gauge',
    labels: [],
    help: 'Pushes of this process that wait for the answer of a provider.',
  },
  due: {
    name: 'landfall_pushes_due',
    type: 'gauge',
    labels: [],
    help: 'Queued pushes whose time has come, in lanes that are not paused; counted up to 100,000, every 30 s. All processes say the same.',
  },
  oldest: {
    name: 'landfall_pushes_oldest_due_age_seconds',
    type: 'gauge',
    labels: [],
    help: 'For how long the oldest of them has been due; 0 when there is none.',
  },
  paused: {
    name: 'landfall_push_providers_paused',
    type: 'gauge',
    labels: [],
    help: 'Providers of apps that send nothing, because they refused the credentials. Somebody must mend each.',
  },
} as const satisfies Record<string, MetricDefinition>;
