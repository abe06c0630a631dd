// The client address of a request, in every form that proxies write, for limits and for matching.
import { randomUUID } from 'node:crypto';
import { freshIp, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callsOf, expectError, linksOf, newDevice, systemOfFile } from '../calls.ts';

// Clients without an address share the limit of their proxy, so the limit is high.
const { system, calls } = await systemOfFile({ RATE_LIMITS: 'restore=1000' });
const app = await system.makeApp();

/** Returns the number of heartbeats that the address may still send after this one. */
const left = async (ip: string) =>
  Number((await calls.heartbeat(app, newDevice().body, { ip })).headers['ratelimit-remaining']);

const hex = (ipv4: string, flip = 0) => {
  const bytes = ipv4.split('.').map((part) => (Number(part) ^ flip).toString(16).padStart(2, '0'));
  return `${bytes[0]}${bytes[1]}:${bytes[2]}${bytes[3]}`;
};
const some16 = () => Math.floor(Math.random() * 0xffff).toString(16);
/** Returns a new IPv6 site prefix for each call. */
const aSite = () => `2001:db8:${some16()}`;

/** Forms in which proxies and translators write one IPv4 address. The unit tests of addresses have all of them. */
it.each<[name: string, spelt: (ipv4: string) => string]>([
  ['with a port', (ip) => `${ip}:1111`],
  ['mapped, in brackets, with a port', (ip) => `[::FFFF:${ip}]:443`],
  ['through 6to4', (ip) => `2002:${hex(ip)}::1`],
])('an IPv4 address %s is limited and matched as the address', async (_, spelt) => {
  const ip = freshIp();
  expect(await left(ip)).toBe(9);
  expect(await left(spelt(ip))).toBe(8);
  const link = await system.makeLink(app);
  await calls.tap(link.url, { ip: spelt(ip) });
  expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
});

it.each(['unknown', '', '71.0.0', '0.0.0.0'])(
  'a client that a proxy calls %j is matched with nobody, not even with itself',
  async (said) => {
    const link = await system.makeLink(app);
    for (const ip of [said, `${freshIp()}, ${said}`]) {
      await calls.tap(link.url, { ip });
      expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
    }
  },
);

describe('where all proxies of a private network are trusted', () => {
  let behind: System;
  let sent: ReturnType<typeof callsOf>;
  let one: TestApp;
  beforeAll(async () => {
    behind = await startSystem({ TRUST_PROXY: 'loopback,10.0.0.0/8', RATE_LIMITS: 'heartbeat=1000' });
    sent = callsOf(behind);
    one = await behind.makeApp();
  });
  afterAll(() => behind.stop());
  const remaining = async (ip: string) =>
    Number((await sent.heartbeat(one, newDevice().body, { ip })).headers['ratelimit-remaining']);

  it('nobody is trusted by an address inside an address', async () => {
    const client = freshIp();
    expect(await remaining(client)).toBe(999);
    expect(await remaining(`${client}, 2002:${hex('10.0.0.1')}::1`)).toBe(999);
    expect(await remaining(client)).toBe(998);
  });
});

describe('the networks of one site', () => {
  const store = (ip: string, from: System, ofApp: TestApp) =>
    from.sdk(ofApp, { method: 'POST', path: '/api/deferred-deep-linking/store', body: { linkId: randomUUID() }, ip });

  it('have ten times the limit of one of them together, and each has its own', async () => {
    const small = await startSystem({ RATE_LIMITS: 'store=3' });
    onTestFinished(() => small.stop());
    const one = await small.makeApp();
    const site = aSite();
    // Refused requests of one network do not count for the neighbouring networks.
    for (let n = 0; n < 40; n++) await store(`${site}:0::1`, small, one);
    const statuses: number[] = [];
    for (let n = 1; n <= 28; n++) statuses.push((await store(`${site}:${n.toString(16)}::1`, small, one)).status);
    expect(statuses).toEqual([...Array(27).fill(404), 429]);
    const refused = await store(`${site}:ffff::1`, small, one);
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Another site keeps its full limit, and so do IPv4 clients.
    const other = await store(`${aSite()}:1::1`, small, one);
    expect(other.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    expect((await store(freshIp(), small, one)).status).toBe(404);
  });
});
