// The gateway's requests as metrics and spans, and the access to them. The only service here knows no host.

import { request } from 'node:http';
import { createServer } from 'node:net';
import { createInProcessBus } from '@landfall/bus';
import { FindHost } from '@landfall/contracts';
import { isFromThisMachine } from '@landfall/http';
import { noTracing, StartError, type Tracing } from '@landfall/runtime';
import { type Received, type Sent, send, testLogger } from '@landfall/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from './gateway.testing.ts';

const log = testLogger();
const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.stop();
});

interface Options {
  env?: Record<string, string>;
  tracing?: Tracing;
  /** The service waits for it before it answers. */
  beforeAnswer?: () => Promise<void>;
}

async function start({ env = {}, tracing = noTracing, beforeAnswer }: Options = {}) {
  const bus = createInProcessBus({ log });
  bus.answer(FindHost, async (batch) => {
    await beforeAnswer?.();
    return batch.map(() => ({ refusal: { code: 'APP_NOT_FOUND', facts: {} } }));
  });
  const gateway = await startGateway({ bus, env, tracing });
  const { port, metrics } = gateway;
  started.push(gateway);
  return {
    port,
    metrics,
    send: (sent: Sent): Promise<Received> => send(port, { ...sent, headers: { host: 'api.test', ...sent.headers } }),
    /** Returns the number of answers by `route method status`. */
    async counted(): Promise<Record<string, number>> {
      const lines = (await metrics.text()).matchAll(
        /^landfall_http_request_duration_seconds_count\{route="(.*)",method="(.*)",status="(.*)"\} (\d+)$/gm,
      );
      return Object.fromEntries(
        [...lines].map(([, route, method, status, n]) => [`${route} ${method} ${status}`, +n!]),
      );
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

describe('requests are counted', () => {
  it('by the pattern of their route, never by their path', async () => {
    const { send, counted } = await start();
    const id = 'b1c2d3e4-0000-4000-8000-000000000000';
    await send({ path: '/livez' });
    await send({ path: '/livez', method: 'HEAD' });
    await send({ path: '/livez?query=1', method: 'DELETE' });
    await send({ path: '/api/links/create-sdk', method: 'POST', body: {} });
    await send({ path: '//api//links/get-by-slug' });
    await send({ path: `/api/${id}` });
    await send({ path: `/logos/${id}` });
    await send({ path: `/${id}/${id}`, headers: { host: 'shop.links.test' } });
    await send({ path: `/${id}`, method: 'PUT', headers: { host: 'shop.links.test' } });
    expect(await counted()).toEqual({
      '/livez GET 200': 1,
      '/livez HEAD 200': 1,
      '/livez DELETE 405': 1,
      '/api/links/create-sdk POST 401': 1,
      '/api/links/get-by-slug GET 400': 1,
      'other GET 404': 1,
      '/logos/:file GET 404': 1,
      'link-host GET 404': 1,
      'link-host PUT 405': 1,
    });
  });

  it('as 499 when the client leaves before the answer', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const { port, counted } = await start({
      beforeAnswer() {
        asked.resolve();
        return left.promise;
      },
    });
    const leaving = request({
      port,
      path: '/api/links/get-by-slug?slug=a&hostname=shop.links.test',
      headers: { host: 'api.test' },
    });
    leaving.once('error', () => {}).end();
    await asked.promise;
    leaving.destroy();
    await expect.poll(counted).toEqual({ '/api/links/get-by-slug GET 499': 1 });
    left.resolve();
  });

  it('and traced under the same name', async () => {
    const spans: string[] = [];
    const tracing: Tracing = {
      ...noTracing,
      serving: ({ headers }, serve) =>
        serve((route, status) => spans.push(`${headers.traceparent} ${route} ${status}`)),
    };
    const { send } = await start({ tracing });
    await send({ path: '/livez', headers: { traceparent: 'here' } });
    await expect.poll(() => spans).toEqual(['here /livez 200']);
    // Of a client that is no proxy of ours nothing is continued, and its id is not taken.
    const stranger = await start({ tracing, env: { TRUST_PROXY: '10.0.0.0/8' } });
    const headers = { traceparent: 'here', tracestate: 'a=1', 'x-request-id': 'mine' };
    const answer = await stranger.send({ path: '/livez', headers });
    await expect.poll(() => spans).toEqual(['here /livez 200', 'undefined /livez 200']);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send({ path: '/livez', headers })).headers['x-request-id']).toBe('mine');
  });
});

it('shows where limits are counted, and the results of taps', async () => {
  const { metrics } = await start();
  const text = await metrics.text();
  for (const line of [
    'landfall_limiter_mode{mode="memory"} 1',
    'landfall_limiter_mode{mode="redis"} 0',
    'landfall_taps_late_total 0',
    'landfall_taps_waiting 0',
    'landfall_taps_lost_total 0',
    'landfall_untrusted_forwards_total 0',
    'landfall_check_ok{check="gateway"} 1',
  ])
    expect(text.split('\n')).toContain(line);
});

describe('/metrics', () => {
  it('on the public port are only for this machine', async () => {
    const { send } = await start();
    const own = await send({ path: '/metrics' });
    expect([own.status, own.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(own.text).toContain('landfall_build_info{service="gateway"');
    for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Proto']) {
      const forwarded = await send({ path: '/metrics', headers: { [name]: '127.0.0.1' } });
      expect([name, forwarded.status, forwarded.json?.code]).toEqual([name, 404, 'NOT_FOUND']);
    }
    expect((await send({ path: '/metrics', method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.1.2.3', false],
    ['172.17.0.1', false],
    ['fe80::1%eth0', false],
    ['203.0.113.7', false],
    [undefined, false],
  ])('%s is this machine: %s', (remoteAddress, expected) => {
    const socket = { remoteAddress } as Parameters<typeof isFromThisMachine>[0]['socket'];
    expect(isFromThisMachine({ socket, headers: {} })).toBe(expected);
  });

  it('are only on METRICS_PORT if it is set, with health', async () => {
    const METRICS_PORT = await freePort();
    const { send: sendPublic } = await start({ env: { METRICS_PORT: String(METRICS_PORT) } });
    expect((await sendPublic({ path: '/metrics' })).status).toBe(404);
    expect((await sendPublic({ path: '/readyz' })).json.status).toBe('ready');
    expect((await send(METRICS_PORT, { path: '/metrics' })).text).toContain('landfall_build_info');
    expect((await send(METRICS_PORT, { path: '/readyz' })).json).toMatchObject({
      status: 'ready',
      checks: { gateway: { ok: true, detail: 'ready' } },
    });
    await started.pop()!.stop();
    await expect(send(METRICS_PORT, { path: '/livez' })).rejects.toThrow('ECONNREFUSED');
  });

  it('names METRICS_PORT when it is in use, and releases what it has', async () => {
    const METRICS_PORT = await freePort();
    await start({ env: { METRICS_PORT: String(METRICS_PORT) } });
    const second = start({ env: { METRICS_PORT: String(METRICS_PORT) } });
    await expect(second).rejects.toThrow(StartError);
    await expect(second).rejects.toThrow(/METRICS_PORT/);
  });
});
