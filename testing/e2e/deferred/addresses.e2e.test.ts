// The client address of a request, in every form that proxies write, for limits and for matching.
import { randomUUID } from 'node:crypto';
import { freshIp, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, expectError, linksOf, newDevice } from '../calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
let app: TestApp;
beforeAll(async () => {
  // Clients without an address share the limit of their proxy, so the limit is high.
  system = await startSystem({ RATE_LIMITS: 'restore=1000' });
  calls = callsOf(system);
  app = await system.makeApp();
});
afterAll(() => system.stop());

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

/** Forms in which proxies and translators write one IPv4 address. */
const spellings: [name: string, of: (ipv4: string) => string][] = [
  ['with a port', (ip) => `${ip}:1111`],
  ['with another port', (ip) => `${ip}:2222`],
  ['in quotes', (ip) => `"${ip}:80"`],
  ['mapped to IPv6', (ip) => `::ffff:${ip}`],
  ['mapped, in brackets, with a port', (ip) => `[::FFFF:${ip}]:443`],
  ['translated by NAT64', (ip) => `64:ff9b::${ip}`],
  ['translated by SIIT', (ip) => `::ffff:0:${ip}`],
  ['through 6to4', (ip) => `2002:${hex(ip)}::1`],
  ['through Teredo', (ip) => `2001:0:4136:e378:8000:63bf:${hex(ip, 255)}`],
];

describe.each(spellings)('an IPv4 address %s', (_, spelt) => {
  it('has the limit of the address', async () => {
    const ip = freshIp();
    expect(await left(ip)).toBe(9);
    expect(await left(spelt(ip))).toBe(8);
  });

  it('is another one for another client', async () => {
    expect(await left(spelt(freshIp()))).toBe(9);
    expect(await left(spelt(freshIp()))).toBe(9);
  });

  it('is matched with the address', async () => {
    const link = await system.makeLink(app);
    const ip = freshIp();
    await calls.tap(link.url, { ip: spelt(ip) });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });
});

it('is an IPv6 address without its brackets, port, zone and case', async () => {
  const site = aSite();
  expect(await left(`${site}:1::a`)).toBe(9);
  expect(await left(`[${site}:1::b]`)).toBe(8);
  expect(await left(`[${site.toUpperCase()}:1::C]:4711`)).toBe(7);
  expect(await left(`"[${site}:1::d]:443"`)).toBe(6);
  expect(await left(`${site}:1::e%eth0`)).toBe(5);
});

const NOTHING = [
  'unknown',
  '-',
  '""',
  '',
  '_hidden',
  'localhost',
  '71.0.0',
  '999.1.1.1',
  '1',
  '[71.0.0.1',
  '0.0.0.0',
  '::',
];

describe.each(NOTHING)('a client that a proxy calls %j', (said) => {
  it('is matched with nobody, not even with itself', async () => {
    const link = await system.makeLink(app);
    await calls.tap(link.url, { ip: said });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip: said }))).toEqual([]);
    const claimed = `${freshIp()}, ${said}`;
    await calls.tap(link.url, { ip: claimed });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip: claimed }))).toEqual([]);
  });
});

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

  it('what is no address counts for the last hop that is one', async () => {
    const [proxy, client] = ['10.1.2.3', freshIp()];
    expect(await remaining(`unknown, ${proxy}`)).toBe(999);
    expect(await remaining(`-, ${proxy}:4711`)).toBe(998);
    // A client cannot set its address with an entry to the left of the proxy entry.
    expect(await remaining(`${client}, "", [::ffff:${proxy}]:99`)).toBe(997);
    expect(await remaining(client)).toBe(999);
  });

  it('a proxy is known by its address, whatever port it has', async () => {
    const client = freshIp();
    expect(await remaining(client)).toBe(999);
    expect(await remaining(`${client}, 10.1.2.9:1234`)).toBe(998);
    expect(await remaining(`${client}, 10.1.2.9:1234, 10.77.0.1`)).toBe(997);
  });

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
    try {
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
    } finally {
      await small.stop();
    }
  });
});
