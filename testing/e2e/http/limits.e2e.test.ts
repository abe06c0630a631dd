// The limits of an address (spec 8), and the client address of a request.
// Over Kafka: gateways share limits in Redis.
import { randomUUID } from 'node:crypto';
import {
  ANDROID,
  freshIp,
  type Received,
  type Sent,
  type System,
  send,
  startSystem,
  type TestApp,
} from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf, expectError, fcmToken, inOneProcess, linksOf, newDevice, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();
const app = await system.makeApp();

const limited: [name: string, limit: number, sent: () => Sent][] = [
  ['create-sdk', 10, () => post('/api/links/create-sdk', { destination: '/a' })],
  ['get-by-slug', 30, () => ({ path: `/api/links/get-by-slug?slug=x&appId=${app.app.id}` })],
  ['restore', 20, () => ({ method: 'POST', path: '/api/deferred-deep-linking/restore', body: newDevice().body })],
  [
    'install-heartbeat',
    10,
    () => ({ method: 'POST', path: '/api/deferred-deep-linking/install-heartbeat', body: newDevice().body }),
  ],
  ['store', 20, () => post('/api/deferred-deep-linking/store', { linkId: randomUUID() })],
  ['device-check', 20, () => ({ path: '/api/device-check?deviceFingerprint=x' })],
  ['push/register', 20, () => post('/api/push/register', { deviceToken: fcmToken(), platform: 'ios' })],
  ['push/opened', 30, () => post('/api/push/opened', { notificationId: randomUUID() })],
];

/** Returns the values of the three rate limit headers as numbers. */
const rateOf = ({ headers }: Received) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
  reset: Number(headers['ratelimit-reset']),
});

once.describe.each(limited)('%s', (_, limit, sent) => {
  it(`answers ${limit} a minute from one address, and says how many are left`, async () => {
    const ip = freshIp();
    for (let n = 1; n <= limit; n++) {
      const answer = await system.sdk(app, { ...sent(), ip });
      expect(answer.status).not.toBe(429);
      expect(rateOf(answer)).toEqual({ limit, remaining: limit - n, reset: expect.any(Number) });
      expect(rateOf(answer).reset).toBeGreaterThan(0);
      expect(rateOf(answer).reset).toBeLessThanOrEqual(60);
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    const over = await system.sdk(app, { ...sent(), ip });
    expectError(over, 429, 'RATE_LIMITED');
    expect(rateOf(over)).toEqual({ limit, remaining: 0, reset: Number(over.headers['retry-after']) });
    expect(rateOf(over).reset).toBeGreaterThan(0);
    // Another address keeps its own limit.
    expect((await system.sdk(app, { ...sent(), ip: freshIp() })).status).not.toBe(429);
  });
});

once.it.each([limited[0]!, limited[6]!])(
  '%s counts before it looks at the key or reads the body',
  async (_, limit, sent) => {
    const ip = freshIp();
    for (let n = 1; n <= limit; n++) {
      const headers = { 'content-type': 'text/plain', 'x-service-sdk-key': 'wrong' };
      expect(rateOf(await system.send({ ...sent(), ip, headers })).remaining).toBe(limit - n);
    }
    expectError(await system.send({ ...sent(), ip }), 429, 'RATE_LIMITED');
    expectError(await system.sdk(app, { ...sent(), ip }), 429, 'RATE_LIMITED');
  },
);

once.it('counts each route for itself', async () => {
  const ip = freshIp();
  for (let n = 0; n < 11; n++) await calls.create(app, { destination: '/a' }, { ip });
  expect((await calls.create(app, { destination: '/a' }, { ip })).status).toBe(429);
  expect((await calls.heartbeat(app, newDevice().body, { ip })).status).toBe(200);
  expect((await calls.resolve({ slug: 'x', appId: app.app.id }, { ip })).status).toBe(404);
});

it('counts all apps and keys of one address together', async () => {
  const ip = freshIp();
  const other = await system.makeApp();
  for (let n = 0; n < 5; n++) for (const one of [app, other]) await calls.heartbeat(one, newDevice().body, { ip });
  for (const one of [app, other])
    expectError(await calls.heartbeat(one, newDevice().body, { ip }), 429, 'RATE_LIMITED');
});

it('makes nothing when it is over', async () => {
  const one = await system.makeApp();
  const ip = freshIp();
  await Promise.all(Array.from({ length: 25 }, () => calls.create(one, { destination: '/a' }, { ip })));
  const { json } = await system.manage({ path: `/api/manage/apps/${one.app.id}/links` });
  expect(json.links).toHaveLength(10);
});

once.it('limits the management API too', async () => {
  const answer = await system.manage({ path: '/api/manage/apps' });
  expect(rateOf(answer)).toMatchObject({ limit: 600, remaining: 599 });
  expect(rateOf(await system.send({ path: '/api/manage/apps' })).limit).toBe(600);
  expect(rateOf(await system.send({ method: 'POST', path: '/api/push/send' })).limit).toBe(120);
});

once.it('limits the documents, and not health', async () => {
  const ip = freshIp();
  const ask = (path: string) => system.send({ path, ip });
  for (const path of ['/livez', '/readyz']) expect((await ask(path)).headers['ratelimit-limit']).toBeUndefined();
  const statuses: number[] = [];
  for (let i = 0; i < 121; i++) statuses.push((await ask(i === 0 ? '/openapi.json' : '/docs/')).status);
  expect(statuses).toEqual([...Array(120).fill(200), 429]);
  const refused = await ask('/openapi.json');
  expectError(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

once.describe('the address', () => {
  /** Returns the number of heartbeats that the address may still send after this one. */
  const left = async (ip: string) => rateOf(await calls.heartbeat(app, newDevice().body, { ip })).remaining;

  it('is the last in X-Forwarded-For that no trusted proxy said', async () => {
    const ip = freshIp();
    expect(await left(ip)).toBe(9);
    expect(await left(`${freshIp()}, ${ip}`)).toBe(8);
    expect(await left(`rubbish, ${freshIp()},${ip}, 127.0.0.1`)).toBe(7);
    expect(await left(`${ip}, ${freshIp()}`)).toBe(9);
  });

  it('is the peer where nobody says another', async () => {
    // These requests come directly from this machine: one address for all such requests of this file.
    const path = `/api/links/get-by-slug?slug=x&appId=${app.app.id}`;
    const direct = () => send(system.port, { path, headers: { host: 'api.test' } });
    const [first, second] = [rateOf(await direct()), rateOf(await direct())];
    expect(second.remaining).toBe(first.remaining - 1);
  });
});

once.describe('behind a peer that is not trusted', () => {
  let other: System;
  let otherCalls: ReturnType<typeof callsOf>;
  let otherApp: TestApp;
  const raised = 'create-link=1000,resolve-link=1000,restore=1000,heartbeat=1000,store=7,manage=1000';
  beforeAll(async () => {
    other = await startSystem({ TRUST_PROXY: '10.0.0.0/8', RATE_LIMITS: raised });
    otherCalls = callsOf(other);
    otherApp = await other.makeApp({ ios: { bundleId: 'com.example.shop' } });
  });
  afterAll(() => other.stop());

  it('X-Forwarded-For is ignored: everybody is the peer', async () => {
    for (let n = 1; n <= 7; n++)
      expect(rateOf(await otherCalls.store(otherApp, { linkId: randomUUID() }, { ip: freshIp() }))).toMatchObject({
        limit: 7,
        remaining: 7 - n,
      });
    expectError(await otherCalls.store(otherApp, { linkId: randomUUID() }, { ip: freshIp() }), 429, 'RATE_LIMITED');
  });

  it('nothing is matched by address, and everything else is', async () => {
    const link = await other.makeLink(otherApp);
    const ip = freshIp();
    const { headers } = await otherCalls.tap(link.url, { ip });
    expect(headers.location).toBeUndefined();
    expect(linksOf(await otherCalls.restore(otherApp, newDevice().body, { ip }))).toEqual([]);

    const inPlay = await other.makeApp({ android: { package: 'com.example.app' } });
    const tapped = await otherCalls.tap((await other.makeLink(inPlay)).url, { ip });
    const installReferrer = new URL(tapped.headers.location!).searchParams.get('referrer');
    expect((await otherCalls.restore(inPlay, { installReferrer })).json.count).toBe(1);
  });

  it('a request that names nobody else is matched: the peer is a person', async () => {
    const link = await other.makeLink(otherApp);
    const direct = (sent: Sent) => send(other.port, { ...sent, headers: { host: 'api.test', ...sent.headers } });
    const { host, pathname } = new URL(link.url);
    await direct({ path: pathname, headers: { host, 'user-agent': ANDROID } });
    await other.settled();
    const restore = { method: 'POST', path: '/api/deferred-deep-linking/restore', body: newDevice().body };
    expect(linksOf(await direct({ ...restore, headers: { 'x-service-sdk-key': otherApp.key } }))).toEqual([link.id]);
  });

  it('is said in /readyz, which stays ready', async () => {
    await other.send({ path: '/api/manage/apps', ip: freshIp() });
    const fromHere = ({ port }: System) => send(port, { path: '/readyz' });
    const { status, json } = await fromHere(other);
    expect(status).toBe(200);
    expect(json.checks.proxies).toMatchObject({ ok: true, detail: expect.stringMatching(/127\.0\.0\.1.*TRUST_PROXY/) });
    // Strangers see no address.
    expect((await other.send({ path: '/readyz' })).json.checks.proxies).toEqual({ ok: true });
    // A trusted proxy does not appear in the report.
    expect((await fromHere(system)).json.checks.proxies).toEqual({ ok: true });
  });
});
