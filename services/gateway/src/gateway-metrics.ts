// The metrics of the gateway besides requests.
import type { MetricDefinition, Metrics } from '@landfall/runtime';
import type { UntrustedProxies } from './addresses/untrusted-proxies.ts';
import type { LimitCounter } from './limits/limits.ts';
import type { TapTeller } from './link-host/tell-tap.ts';

export const gatewayMetricTable = {
  limiterMode: {
    name: 'landfall_limiter_mode',
    type: 'gauge',
    labels: ['mode'],
    help: '1 for where calls are counted now: redis, shared by all gateways, or memory, each gateway for itself.',
  },
  tapsLate: {
    name: 'landfall_taps_late_total',
    type: 'counter',
    labels: [],
    help: 'Taps that were recorded later than they were answered, because the bus was away.',
  },
  tapsWaiting: {
    name: 'landfall_taps_waiting',
    type: 'gauge',
    labels: [],
    help: 'Taps that were answered and are not recorded yet.',
  },
  tapsLost: {
    name: 'landfall_taps_lost_total',
    type: 'counter',
    labels: [],
    help: 'Taps that were answered and will not be recorded: too many waited, or they were refused. Somebody must look.',
  },
  restores: {
    name: 'landfall_restores_total',
    type: 'counter',
    labels: ['match'],
    help: 'Restores that were answered, by what they were matched by: token, email, fingerprint, address, or none when nothing was given.',
  },
  connectionsRefused: {
    name: 'landfall_connections_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were closed at once, because MAX_CONNECTIONS others were open.',
  },
  untrustedForwards: {
    name: 'landfall_untrusted_forwards_total',
    type: 'counter',
    labels: [],
    help: 'Requests that came with X-Forwarded-For over a private peer that TRUST_PROXY does not name: none of them is matched by address.',
  },
} as const satisfies Record<string, MetricDefinition>;

const MODES = ['redis', 'memory'] as const;

export function addGatewayMetrics(
  metrics: Metrics,
  limits: LimitCounter,
  taps: TapTeller,
  proxies: UntrustedProxies,
): void {
  metrics.add(gatewayMetricTable.limiterMode, () => {
    const now = limits.mode();
    return MODES.map((mode) => ({ labels: { mode }, value: Number(mode === now) }));
  });
  metrics.add(gatewayMetricTable.tapsLate, () => taps.counts().late);
  metrics.add(gatewayMetricTable.tapsWaiting, () => taps.counts().waiting);
  metrics.add(gatewayMetricTable.tapsLost, () => taps.counts().lost);
  metrics.add(gatewayMetricTable.untrustedForwards, proxies.count);
}
