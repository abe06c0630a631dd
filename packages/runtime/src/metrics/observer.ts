// Turns the reports of the bus into metrics and traces.
import type { Observer } from '@landfall/bus';
import { noTracing, type Tracing } from '../tracing/port.ts';
import type { Metrics } from './metrics.ts';

export function createObserver(metrics: Metrics, tracing: Tracing = noTracing): Observer {
  const { asked, told, handled, deadLetter } = metrics;
  const { traceHeaders, sending, handling } = tracing;
  return { asked, told, handled, deadLetter, traceHeaders, sending, handling };
}
