// The gateway's metrics, except those that every HTTP server has.
import type { MetricDefinition, Metrics } from '@landfall/runtime';
import type { TapTeller } from './link-host/tell-tap.ts';

export const gatewayMetricTable = {
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
} as const satisfies Record<string, MetricDefinition>;

export function addGatewayMetrics(metrics: Metrics, taps: TapTeller): void {
  metrics.add(gatewayMetricTable.tapsLate, () => taps.counts().late);
  metrics.add(gatewayMetricTable.tapsWaiting, () => taps.counts().waiting);
  metrics.add(gatewayMetricTable.tapsLost, () => taps.counts().lost);
}
