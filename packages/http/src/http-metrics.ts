// The metrics of a process that serves HTTP, except those of requests.
import type { MetricDefinition, Metrics } from '@landfall/runtime';
import type { UntrustedProxies } from './addresses/client-address.ts';
import type { LimitCounter } from './limits/limits.ts';

export const httpMetricTable = {
  limiterMode: {
    name: 'landfall_limiter_mode',
    type: 'gauge',
    labels: ['mode'],
    help: '1 for the place where rate limits are counted now: redis (shared by all processes) or memory (each process alone).',
  },
  connectionsRefused: {
    name: 'landfall_connections_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were closed at once, because MAX_CONNECTIONS others were open, or MAX_CONNECTIONS_PER_ADDRESS others of the same address.',
  },
  untrustedForwards: {
    name: 'landfall_untrusted_forwards_total',
    type: 'counter',
    labels: [],
    help: 'Requests with X-Forwarded-For from a private peer that TRUST_PROXY does not name. None of them is matched by address.',
  },
} as const satisfies Record<string, MetricDefinition>;

const MODES = ['redis', 'memory'] as const;

export function addHttpMetrics(metrics: Metrics, limits: LimitCounter, proxies: UntrustedProxies): void {
  metrics.add(httpMetricTable.limiterMode, () => {
    const now = limits.mode();
    return MODES.map((mode) => ({ labels: { mode }, value: Number(mode === now) }));
  });
  metrics.add(httpMetricTable.untrustedForwards, proxies.count);
}
