import perfHooks from 'node:perf_hooks';
import type { BusHealth, Handling } from '@landfall/bus';
import { describe, expect, it, vi } from 'vitest';
import { createHealth } from '../health/health.ts';
import { productVersion } from '../version.ts';
import { metricTable } from './metric-table.ts';
import { createMetrics, createObserver } from './metrics.ts';
import { counter, histogram } from './series.ts';

/** Parses the exposition: `name{labels}` to its value, and names to their types. */
function parse(text: string) {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name) types.set(name, type!);
    const [, key, value] = /^([^#\s].*) (\S+)$/.exec(line) ?? [];
    if (!key) continue;
    expect(values.has(key), `${key} comes once`).toBe(false);
    values.set(key, Number(value));
  }
  return { values, types };
}

const restore: Handling = { message: 'RestoreLinks', group: 'attribution.commands', kind: 'command', size: 7 };

const health: BusHealth = {
  receivers: [
    {
      name: 'analytics: LinkClicked',
      group: 'analytics',
      queued: 3,
      running: 1,
      paused: true,
      retrying: false,
      deadLetters: 2,
      dropped: 5,
    },
  ],
  pendingAsks: 4,
  troubles: ['nothing could be sent for 5 s'],
};

const lag = [{ group: 'analytics', topic: 'landfall.link-clicked', messages: 12, oldestMs: 2_500 }];

async function everything() {
  const metrics = createMetrics({ service: 'test', instance: 'a' });
  const observer = createObserver(metrics);
  metrics.addBus({ health: () => health, lag: async () => lag });
  const checks = createHealth();
  checks.add('bus', () => ({ ok: true, detail: 'nothing could be sent for 5 s' }));
  checks.add('database', () => Promise.reject(new Error('gone')));
  metrics.addHealth(checks);
  metrics.requested('/api/links/get-by-slug', 'GET', 200, 3);
  metrics.requested('/api/links/get-by-slug', 'GET', 200, 30_000);
  observer.asked('ResolveLink', 'answered', 4);
  observer.asked('ResolveLink', 'answered', 6);
  observer.asked('ResolveLink', 'busy', 0);
  observer.told('LinkClicked', 'told', 2);
  observer.handled(restore, 'done', 20);
  observer.deadLetter('analytics', 'LinkClicked');
  return metrics;
}

describe('/metrics', () => {
  it('has every metric of the table under its name and labels, in the format of Prometheus', async () => {
    const metrics = await everything();
    expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const { values, types } = parse(await metrics.text());
    for (const { name, type, labels } of Object.values(metricTable)) {
      expect(types.get(name), name).toBe(type);
      const [first] = [...values.keys()].filter((key) => key.replace(/(_count)?(\{.*)?$/, '') === name);
      const shown = [...first!.matchAll(/(\w+)="/g)].map(([, label]) => label);
      expect(shown, name).toEqual(labels);
    }
  });

  it('counts what it was told', async () => {
    const { values } = parse(await (await everything()).text());
    const request = 'route="/api/links/get-by-slug",method="GET",status="200"';
    expect(Object.fromEntries(values)).toMatchObject({
      [`landfall_build_info{service="test",version="${productVersion}",instance_id="a"}`]: 1,
      [`landfall_http_request_duration_seconds_count{${request}}`]: 2,
      [`landfall_http_request_duration_seconds_sum{${request}}`]: 30.003,
      [`landfall_http_request_duration_seconds_bucket{le="0.0025",${request}}`]: 0,
      [`landfall_http_request_duration_seconds_bucket{le="0.005",${request}}`]: 1,
      [`landfall_http_request_duration_seconds_bucket{le="10",${request}}`]: 1,
      [`landfall_http_request_duration_seconds_bucket{le="+Inf",${request}}`]: 2,
      'landfall_asks_total{message="ResolveLink",outcome="answered"}': 2,
      'landfall_asks_total{message="ResolveLink",outcome="busy"}': 1,
      'landfall_ask_duration_seconds_count{message="ResolveLink"}': 3,
      'landfall_ask_duration_seconds_sum{message="ResolveLink"}': 0.01,
      'landfall_tells_total{event="LinkClicked",outcome="told"}': 1,
      'landfall_handler_duration_seconds_sum{message="RestoreLinks",group="attribution.commands",outcome="done"}': 0.02,
      'landfall_handler_batch_size_bucket{le="5",message="RestoreLinks",group="attribution.commands"}': 0,
      'landfall_handler_batch_size_bucket{le="10",message="RestoreLinks",group="attribution.commands"}': 1,
      'landfall_dead_letters_total{group="analytics",message="LinkClicked"}': 1,
      'landfall_consumer_lag_messages{group="analytics",topic="landfall.link-clicked"}': 12,
      'landfall_consumer_oldest_message_age_seconds{group="analytics",topic="landfall.link-clicked"}': 2.5,
      'landfall_queue_messages{receiver="analytics: LinkClicked"}': 3,
      'landfall_receiver_paused{receiver="analytics: LinkClicked"}': 1,
      'landfall_receiver_retrying{receiver="analytics: LinkClicked"}': 0,
      'landfall_stale_queries_dropped_total{receiver="analytics: LinkClicked"}': 5,
      landfall_asks_pending: 4,
      landfall_bus_troubles: 1,
      'landfall_check_ok{check="bus"}': 1,
      'landfall_check_ok{check="database"}': 0,
    });
  });

  it("has the process's own under the names that dashboards know", async () => {
    const { types } = parse(await createMetrics({ service: 'test' }).text());
    expect([...types.keys()]).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']),
    );
  });

  it('wakes an idle process 20 times a second to sample its event loop', () => {
    const monitor = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
    createMetrics({ service: 'test' });
    expect(monitor.mock.calls).toEqual([[{ resolution: 50 }]]);
    monitor.mockRestore();
  });

  it('names and units are as Prometheus wants them', () => {
    for (const { name, type } of Object.values(metricTable)) {
      expect(name).toMatch(/^landfall_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|bytes_total)$/);
    }
  });

  it('reads the state of the bus once for all its lines', async () => {
    const metrics = createMetrics({ service: 'test' });
    const read = vi.fn(() => health);
    metrics.addBus({ health: read });
    await metrics.text();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('has no lines of a lag that cannot be read, and all others', async () => {
    const metrics = createMetrics({ service: 'test' });
    let well = true;
    metrics.addBus({
      health: () => health,
      async lag() {
        if (!well) throw new Error('no broker');
        return lag;
      },
    });
    const line = 'landfall_consumer_lag_messages{group="analytics",topic="landfall.link-clicked"}';
    expect(parse(await metrics.text()).values.get(line)).toBe(12);
    well = false;
    const { values } = parse(await metrics.text());
    expect(values.has(line)).toBe(false);
    expect(values.get('landfall_asks_pending')).toBe(4);
    expect(values.has(`landfall_build_info{service="test",version="${productVersion}",instance_id=""}`)).toBe(true);
  });
});

describe('label values', () => {
  it('of methods that nobody has are one', async () => {
    const metrics = createMetrics({ service: 'test' });
    for (const method of ['PROPFIND', 'MKCOL', 'PURGE']) metrics.requested('other', method, 404, 1);
    const { values } = parse(await metrics.text());
    expect(values.get('landfall_http_request_duration_seconds_count{route="other",method="other",status="404"}')).toBe(
      3,
    );
  });

  it('are bounded: what comes after the limit counts as `other`', () => {
    const asks = counter(metricTable.asks, 3);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'a']) asks.add(name, 'answered');
    expect(asks.samples().map(({ labels, value }) => [labels.message, labels.outcome, value])).toEqual([
      ['a', 'answered', 2],
      ['b', 'answered', 1],
      ['c', 'answered', 1],
      ['other', 'other', 2],
    ]);
  });
});

it('a value on a bucket’s bound is in the bucket', () => {
  const sizes = histogram({ ...metricTable.batchSize, buckets: [1, 2] });
  for (const size of [1, 2, 3]) sizes.add(size, 'CreateLink', 'link.commands');
  expect(sizes.samples().map(({ suffix, labels, value }) => [suffix, labels.le, value])).toEqual([
    ['_bucket', 1, 1],
    ['_bucket', 2, 2],
    ['_bucket', '+Inf', 3],
    ['_sum', undefined, 6],
    ['_count', undefined, 3],
  ]);
});
