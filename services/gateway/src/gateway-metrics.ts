// The gateway's metrics, except those of requests.
import type { MetricDefinition, Metrics } from '@landfall/runtime';
import type { UntrustedProxies } from './addresses/untrusted-proxies.ts';
import type { LimitCounter } from './limits/limits.ts';
import type { TapTeller } from './link-host/tell-tap.ts';

export const gatewayMetricTable = {
  limiterMode: {
    name: 'landfall_limiter_mode',
    type: 'gauge',
    labels: ['mode'],
    help: '1 for the place where rate limits are counted now: redis (shared by all gateways) or memory (each gateway alone).',
  },
  tapsLate: {
    name: 'landfall_taps_late_total',
    type: 'counter',
    labels: [],
    help: 'Taps that were recorded after their answer, because the bus was down.',
  },
  tapsWaiting: {
    name: 'landfall_taps_waiting',
    type: 'gauge',
    labels: [],
    help: 'Taps that were answered and are not yet recorded.',
  },
  tapsLost: {
    name: 'landfall_taps_lost_total',
    type: 'counter',
    labels: [],
    help: 'Taps that were answered and will never be recorded, because too many waited or they were refused. An operator must look.',
  },
  restores: {
    name: 'landfall_restores_total',
    type: 'counter',
    labels: ['match'],
    help: 'Answered restores by their match: token, email, fingerprint, address, or none when no link was given.',
  },
  exits: {
    name: 'landfall_exits_total',
    type: 'counter',
    labels: ['exit', 'step'],
    help: 'Uses of buttons that lead out of the browser inside another app: tapped there, or arrived in a browser.',
  },
  connectionsRefused: {
    name: 'landfall_connections_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were closed at once, because MAX_CONNECTIONS others were open, or MAX_CONNECTIONS_PER_ADDRESS others of the same address.',
  },
  associationChecks: {
    name: 'landfall_association_checks_total',
    type: 'counter',
    labels: ['result'],
    help: 'Checks of the association files of an app by their result: ok, or failed when phones do not get a file.',
  },
  untrustedForwards: {
    name: 'landfall_untrusted_forwards_total',
    type: 'counter',
    labels: [],
    help: 'Requests with X-Forwarded-For from a private peer that TRUST_PROXY does not name. None of them is matched by address.',
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
