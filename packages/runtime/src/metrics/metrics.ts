// Counts the work of a process, and writes /metrics in the text format of Prometheus. Each call makes its own registry,
// so that several can live in one test process.
import type { BusHealth, GroupLag, Observer, ReceiverHealth } from '@landfall/bus';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Health } from '../health/health.ts';
import { noTracing, type Tracing } from '../tracing/port.ts';
import { productVersion } from '../version.ts';
import { type MetricDefinition, metricTable } from './metric-table.ts';
import { counter, histogram, type LabelValue, type Sample } from './series.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Milliseconds. The default of 10 wakes an idle process so often that it takes a quarter of its processor time. */
const LOOP_SAMPLE_MS = 50;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @param instance the name that distinguishes this process from others of the service */
export function createMetrics({ service, instance = '' }: { service: string; instance?: string }) {
  const registry = new Registry();
  // These metrics are named process_* and nodejs_*, without our prefix, because every dashboard knows these names.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });

  /** Adds a metric that is read at each scrape. */
  function add(definition: MetricDefinition, read: () => readonly Sample[] | number): void {
    const { name, help, type } = definition;
    const get = async () => ({ name, help, type, aggregator: 'sum', values: linesOf(name, read()) });
    // A registry needs only the name and this function of a metric.
    registry.registerMetric({ name, get } as unknown as Metric);
  }
  const count = (definition: MetricDefinition) => {
    const counted = counter(definition);
    add(definition, counted.samples);
    return counted.add;
  };
  const measure = (definition: MetricDefinition) => {
    const measured = histogram(definition);
    add(definition, measured.samples);
    return measured.add;
  };

  add(metricTable.buildInfo, () => [{ labels: { service, version: productVersion, instance_id: instance }, value: 1 }]);
  const requests = measure(metricTable.requests);
  const asks = count(metricTable.asks);
  const askDuration = measure(metricTable.askDuration);
  const tells = count(metricTable.tells);
  const handlerDuration = measure(metricTable.handlerDuration);
  const batchSize = measure(metricTable.batchSize);
  const deadLetters = count(metricTable.deadLetters);

  let readBus: (() => Promise<BusNow>) | undefined;
  let bus: BusNow | undefined;
  let readChecks: Health['read'] | undefined;
  let checks: Awaited<ReturnType<Health['read']>>['checks'] = {};

  const observed: Pick<Observer, 'asked' | 'told' | 'handled' | 'deadLetter'> = {
    asked(message, outcome, ms) {
      asks(message, outcome);
      askDuration(ms / 1000, message);
    },
    told: (event, outcome) => tells(event, outcome),
    handled({ message, group, size }, outcome, ms) {
      handlerDuration(ms / 1000, message, group, outcome);
      batchSize(size, message, group);
    },
    deadLetter: (group, message) => deadLetters(group, message),
  };

  return {
    ...observed,
    add,
    count,
    /** Counts an answered request, and its milliseconds. `route` is a pattern or a fixed word, never a path. */
    requested(route: string, method: string, status: number, ms: number): void {
      requests(ms / 1000, route, METHODS.has(method) ? method : 'other', status);
    },
    /** Adds the lines of /readyz, which are read at each scrape. */
    addHealth(health: Pick<Health, 'read'>): void {
      readChecks = health.read;
      add(metricTable.checks, () =>
        Object.entries(checks).map(([check, { ok }]) => ({ labels: { check }, value: Number(ok) })),
      );
    },
    /** Read at each scrape. The in-process bus has no lag: its queues are in the state of its receivers. */
    addBus({ health, lag }: { health(): BusHealth; lag?(): Promise<readonly GroupLag[]> }): void {
      readBus = async () => ({ ...health(), lag: (await lag?.().catch(() => [])) ?? [] });
      addBusMetrics(add, () => bus);
    },
    async text(): Promise<string> {
      // The state is read once for all its lines. When the lag cannot be read, only its lines are absent.
      [bus, checks] = await Promise.all([readBus?.(), readChecks?.().then((read) => read.checks) ?? {}]);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

export function createObserver(metrics: Metrics, tracing: Tracing = noTracing): Observer {
  const { asked, told, handled, deadLetter } = metrics;
  const { traceHeaders, sending, handling } = tracing;
  return { asked, told, handled, deadLetter, traceHeaders, sending, handling };
}

/** In the form that prom-client takes. */
const linesOf = (name: string, read: readonly Sample[] | number) =>
  (typeof read === 'number' ? [{ labels: {}, value: read }] : read).map(({ suffix = '', ...sample }: Sample) => ({
    ...sample,
    metricName: name + suffix,
  }));

interface BusNow extends BusHealth {
  lag: readonly GroupLag[];
}

function addBusMetrics(add: Metrics['add'], read: () => BusNow | undefined): void {
  const ofLag = (definition: MetricDefinition, value: (lag: GroupLag) => number) =>
    add(definition, () =>
      (read()?.lag ?? []).map((lag) => ({ labels: { group: lag.group, topic: lag.topic }, value: value(lag) })),
    );
  const ofReceiver = (definition: MetricDefinition, value: (receiver: ReceiverHealth) => LabelValue | boolean) =>
    add(definition, () =>
      (read()?.receivers ?? []).map((receiver) => ({
        labels: { receiver: receiver.name },
        value: Number(value(receiver)),
      })),
    );
  ofLag(metricTable.lag, (lag) => lag.messages);
  ofLag(metricTable.oldest, (lag) => lag.oldestMs / 1000);
  ofReceiver(metricTable.queued, (receiver) => receiver.queued);
  ofReceiver(metricTable.paused, (receiver) => receiver.paused);
  ofReceiver(metricTable.retrying, (receiver) => receiver.retrying);
  ofReceiver(metricTable.dropped, (receiver) => receiver.dropped);
  add(metricTable.pendingAsks, () => read()?.pendingAsks ?? []);
  add(metricTable.troubles, () => read()?.troubles.length ?? []);
}
