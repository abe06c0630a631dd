import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from '../config/config.ts';
import { createLogger } from '../logging/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createHealth, type Health } from './health.ts';
import { type HealthServer, serveHealth } from './serve-health.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let health: Health;
let server: HealthServer;
beforeEach(async () => {
  health = createHealth();
  server = await serveHealth({ port: 0, health, metrics: createMetrics({ service: 'test' }), log });
});
afterEach(() => server.stop());

const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

it('/livez touches nothing', async () => {
  health.add('database', () => ({ ok: false }));
  const answer = await get('/livez');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'alive' });
});

it('/readyz says what the process needs, by name', async () => {
  let ok = true;
  health.add('database', () => ({ ok }));
  health.add('bus', async () => ({ ok: true, detail: 'CreateLink: retrying' }));
  const ready = await get('/readyz?verbose');
  expect([ready.status, ready.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await ready.json()).toEqual({
    status: 'ready',
    checks: { database: { ok: true }, bus: { ok: true, detail: 'CreateLink: retrying' } },
  });
  ok = false;
  const not = await get('/readyz');
  expect(not.status).toBe(503);
  expect(await not.json()).toMatchObject({ status: 'not ready', checks: { database: { ok: false } } });
});

it('/metrics is there for Prometheus', async () => {
  const answer = await get('/metrics');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toContain('landfall_build_info{service="test"');
  const head = await get('/metrics', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('has nothing else', async () => {
  for (const path of ['/', '/metrics/', '/metricsx', '/constructor', '/api/links'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const post = await get('/metrics', 'POST');
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('answers 500 for what cannot be read, and goes on', async () => {
  const metrics = createMetrics({ service: 'test' });
  metrics.add({ name: 'landfall_broken', type: 'gauge', labels: [], help: 'Breaks.' }, () => {
    throw new Error('broken');
  });
  const other = await serveHealth({ port: 0, health, metrics, log });
  expect((await fetch(`http://127.0.0.1:${other.port}/metrics`)).status).toBe(500);
  expect((await fetch(`http://127.0.0.1:${other.port}/livez`)).status).toBe(200);
  await other.stop();
});

it('ends the start with a sentence when the port is taken', async () => {
  const second = serveHealth({ port: server.port, health, metrics: createMetrics({ service: 'test' }), log });
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(/METRICS_PORT/);
});

it('shows metrics under no name that a page elsewhere can have, and health under every one', async () => {
  const own = await serveHealth({
    port: 0,
    health,
    metrics: createMetrics({ service: 'test' }),
    metricsHosts: ['prom.example'],
    log,
  });
  const ask = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port: own.port, path, headers: { host }, agent: false }, (res) => resolve(res.resume().statusCode))
        .once('error', reject)
        .end();
    });
  const shown = ['127.0.0.1', '10.1.2.3:9464', '[::1]:9464', 'localhost', 'link', 'link.shop.svc', 'prom.example:9464'];
  for (const host of shown) expect([host, await ask('/metrics', host)]).toEqual([host, 200]);
  for (const host of [
    'evil.example',
    'evil.example:9464',
    'svc.evil.example',
    '127.0.0.1.evil.example',
    'x.localhost.evil',
  ]) {
    expect([host, await ask('/metrics', host)]).toEqual([host, 404]);
    expect([host, await ask('/livez', host)]).toEqual([host, 200]);
  }
  await own.stop();
});
