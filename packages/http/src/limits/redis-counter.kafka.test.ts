// Needs `redis-server` on this machine. The tests disturb a real connection.
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describeWithProgram, type LocalRedis, redisAvailable, startRedis, testLogger } from '@landfall/testkit';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectRedis } from '../redis/redis.ts';
import { type LimitCounter, specLimits } from './limits.ts';
import { memoryCounter } from './memory-counter.ts';
import { redisCounter } from './redis-counter.ts';

const keyOf = (address: string) => `hash-of-${address.length}-${[...address].reverse().join('')}`;

let server: LocalRedis;
const counters: LimitCounter[] = [];
const servers: LocalRedis[] = [];
const log = testLogger();
const warn = vi.spyOn(log, 'warn');
const info = vi.spyOn(log, 'info');

async function start(port?: number): Promise<LocalRedis> {
  const started = await startRedis(port === undefined ? {} : { port });
  servers.push(started);
  return started;
}

function counterOf(url: string): LimitCounter {
  const counter = redisCounter({ redis: connectRedis(url), withinMs: 50, limits: specLimits, keyOf, log });
  counters.push(counter);
  return counter;
}

async function connected(url = server.url): Promise<LimitCounter> {
  const counter = counterOf(url);
  await expect.poll(counter.mode, { interval: 5 }).toBe('redis');
  return counter;
}

/** No time-out of its own: the time-out of the test applies. */
const soon = { timeout: 10_000, interval: 20 };

/** Returns the milliseconds that a call took. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

describeWithProgram(redisAvailable(), 'limits in Redis', () => {
  beforeEach(async () => {
    server = await start();
  });
  afterEach(async () => {
    for (const counter of counters.splice(0)) counter.close();
    for (const one of servers.splice(0)) await one.stop();
    vi.clearAllMocks();
  });

  /** Uses a separate connection of the test. */
  async function ask<T>(question: (admin: Redis) => Promise<T>): Promise<T> {
    const admin = new Redis(server.url);
    try {
      return await question(admin);
    } finally {
      admin.disconnect();
    }
  }

  it('counts as memory does', async () => {
    const [memory, redis] = [memoryCounter(specLimits), await connected()];
    for (const [name, address, site, calls] of [
      ...Array.from({ length: 12 }, () => ['create-link', '198.51.100.1'] as const),
      ['create-link', '2001:db8:0:1::/64'],
      ['restore', '198.51.100.1'],
      ['restore', '198.51.100.1'],
      // Of one site: one address until it is refused, then as many others until the site is refused.
      ...Array.from({ length: 30 }, () => ['create-link', '2001:db8:1:0::/64', '2001:db8:1::/48'] as const),
      ...Array.from({ length: 95 }, (_, n) => ['create-link', `2001:db8:1:1${n}::/64`, '2001:db8:1::/48'] as const),
      ...Array.from({ length: 12 }, (_, n) => ['tap', `2001:db8:1:${n % 2}::/64`, '2001:db8:1::/48'] as const),
      // A call that counts as several, also across the number that a gateway keeps to itself.
      ...Array.from({ length: 70 }, () => ['qr', '198.51.100.2', null, 5] as const),
      ...Array.from({ length: 20 }, () => ['tap', '2001:db8:2:0::/64', '2001:db8:2::/48', 3] as const),
    ] as const) {
      const used = await redis.use(name, address, site, calls);
      const expected = await memory.use(name, address, site, calls);
      expect(used).toEqual({ ...expected, resetSeconds: expect.any(Number) });
      expect(Math.abs(used.resetSeconds - expected.resetSeconds)).toBeLessThanOrEqual(1);
    }
    expect(redis.mode()).toBe('redis');
  });

  it('ends a window a minute after its first call', async () => {
    const counter = await connected();
    expect(await counter.use('create-link', 'a')).toMatchObject({ remaining: 9, resetSeconds: 60 });
    const [key] = await ask((admin) => admin.keys('landfall:limit:create-link:*'));
    await ask((admin) => admin.pexpire(key!, 20_300));
    expect(await counter.use('create-link', 'a')).toMatchObject({ remaining: 8, resetSeconds: 21 });
    await ask((admin) => admin.pexpire(key!, 1));
    await expect.poll(() => ask((admin) => admin.exists(key!))).toBe(0);
    expect(await counter.use('create-link', 'a')).toMatchObject({ remaining: 9, resetSeconds: 60 });
  });

  it('is shared by all gateways, also by simultaneous calls', async () => {
    const both = [await connected(), await connected()];
    const used = await Promise.all(Array.from({ length: 40 }, (_, i) => both[i % 2]!.use('restore', 'a')));
    expect(used.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(await both[0]!.use('restore', 'b')).toMatchObject({ allowed: true, remaining: 19 });
  });

  it('stores no plain address, and nothing for longer than a minute', async () => {
    await (await connected()).use('store', '198.51.100.1');
    const keys = await ask((admin) => admin.keys('*'));
    expect(keys.sort()).toEqual([`landfall:limit:store:${keyOf('198.51.100.1')}`, 'landfall:limit:try']);
    for (const key of keys) {
      const left = await ask((admin) => admin.pttl(key));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000);
    }
  });

  it('gets the taps of an address when they are more than a few, and then all of them', async () => {
    const both = [await connected(), await connected()] as const;
    const tap = (gateway: 0 | 1) => both[gateway].use('tap', 'a');
    for (let n = 1; n <= 10; n++) expect(await tap(0)).toMatchObject({ allowed: true, remaining: 300 - n });
    expect(await ask((admin) => admin.keys('landfall:limit:tap:*'))).toEqual([]);
    expect(await tap(0)).toMatchObject({ remaining: 289 });
    expect(await tap(0)).toMatchObject({ remaining: 288 });
    for (let n = 1; n <= 10; n++) await tap(1);
    // Twelve at one gateway, and eleven at the other.
    expect(await tap(1)).toMatchObject({ remaining: 277 });
    expect(await tap(0)).toMatchObject({ remaining: 276 });
  });

  it('gets the taps of a site when all its addresses together have more than a few', async () => {
    const both = [await connected(), await connected()] as const;
    const site = '2001:db8:1::/48';
    // Each address comes once, so none of them is reported.
    const tap = (gateway: 0 | 1, n: number) => both[gateway].use('tap', `2001:db8:1:${gateway}${n}::/64`, site);
    for (let n = 0; n < 100; n++) await tap(0, n);
    expect(await ask((admin) => admin.keys('landfall:limit:tap:*'))).toEqual([]);
    for (let n = 100; n < 200; n++) expect(await tap(0, n)).toMatchObject({ limit: 300, remaining: 299 });
    expect(await ask((admin) => admin.keys('landfall:limit:tap:*'))).toEqual([`landfall:limit:tap:${keyOf(site)}`]);
    expect(await ask((admin) => admin.get(`landfall:limit:tap:${keyOf(site)}`))).toBe('200');
    for (let n = 0; n < 101; n++) await tap(1, n);
    expect(await ask((admin) => admin.get(`landfall:limit:tap:${keyOf(site)}`))).toBe('301');
  });

  it('counts an address and its site, and simultaneous calls, in one write, each as one command', async () => {
    const counter = await connected();
    await counter.use('store', '2001:db8:1:1::/64', '2001:db8:1::/48');
    await ask((admin) => admin.config('RESETSTAT'));
    const write = vi.spyOn(Socket.prototype, 'write');
    const writes = () => write.mock.contexts.filter((socket) => (socket as Socket).remotePort === server.port).length;
    await counter.use('store', '2001:db8:1:1::/64', '2001:db8:1::/48');
    expect(writes()).toBe(1);
    await Promise.all(Array.from({ length: 64 }, (_, i) => counter.use('store', `${i}`)));
    expect(writes()).toBe(2);
    write.mockRestore();
    const statistics = await ask((admin) => admin.info('commandstats'));
    const scripts = [...statistics.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].map(([, calls]) => Number(calls));
    expect(scripts.reduce((sum, calls) => sum + calls, 0)).toBe(2 + 64);
  });

  it('answers from memory while Redis is not there yet, and uses it when it comes', async () => {
    await server.kill();
    const counter = counterOf(server.url);
    const memory = memoryCounter(specLimits);
    for (let n = 0; n < 12; n++)
      expect(await counter.use('create-link', 'a')).toEqual(await memory.use('create-link', 'a'));
    expect(counter.mode()).toBe('memory');
    await expect.poll(() => warn.mock.calls, soon).toHaveLength(1);
    expect(warn.mock.calls[0]).toEqual([{ reason: expect.stringContaining('ECONNREFUSED') }, expect.any(String)]);
    expect(counter.health()).toEqual({
      ok: true,
      detail: expect.stringMatching(/^rate limits are counted in memory: Redis is down since 20.*Z$/),
    });

    server = await start(server.port);
    await expect.poll(counter.mode, soon).toBe('redis');
    expect(counter.health()).toEqual({ ok: true });
    expect(await counter.use('create-link', 'a')).toMatchObject({ remaining: 9 });
    expect(info).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('continues while Redis is killed and started again', async () => {
    const counter = await connected();
    let [answered, slowest, done] = [0, 0, false];
    const calls = (async () => {
      while (!done) {
        slowest = Math.max(slowest, await timed(() => counter.use('manage', `${answered}`)));
        answered++;
        await new Promise(setImmediate);
      }
    })();
    const more = async () => {
      const before = answered;
      await expect.poll(() => answered).toBeGreaterThan(before + 50);
    };
    await more();
    await server.kill();
    await expect.poll(counter.mode, soon).toBe('memory');
    await more();
    server = await start(server.port);
    await expect.poll(counter.mode, soon).toBe('redis');
    await more();
    done = true;
    await calls;
    expect(await ask((admin) => admin.dbsize())).toBeGreaterThan(50);
    // No call waited for a connection.
    expect(slowest).toBeLessThan(250);
    expect(warn).toHaveBeenCalledOnce();
    expect(info).toHaveBeenCalledTimes(2);
  });

  it('waits 50 ms once for a Redis that hangs, and returns when it wakes', async () => {
    const counter = await connected();
    await counter.use('manage', 'a');
    server.freeze();
    // Calls behind the first ones on the wire are sent only after those are answered. They still wait no longer.
    const first = counter.use('manage', 'a');
    await new Promise(setImmediate);
    // On a busy machine all timers are late. This has as many steps as one wait, and each is longer.
    const twice = delay(40)
      .then(() => delay(40))
      .then(() => new Promise(setImmediate))
      .then(() => 'waited twice');
    const [waited] = await Promise.all([timed(() => counter.use('manage', 'a')), first]);
    expect(waited).toBeGreaterThan(40);
    expect(await Promise.race([twice, 'waited once'])).toBe('waited once');
    expect(counter.mode()).toBe('memory');
    const hundred = await timed(async () => {
      for (let n = 0; n < 100; n++) await counter.use('manage', 'a');
    });
    expect(hundred).toBeLessThan(waited);

    server.thaw();
    await expect.poll(counter.mode, soon).toBe('redis');
    // The first call, the two that were on their way and may have arrived, and this one.
    const { remaining } = await counter.use('manage', 'a');
    expect(remaining).toBeGreaterThanOrEqual(600 - 4);
    expect(remaining).toBeLessThanOrEqual(600 - 2);
    expect(warn.mock.calls).toEqual([[{ reason: 'it did not answer within 50 ms' }, expect.any(String)]]);
  });

  it('closes a silent connection, and counts no call twice', async () => {
    const counter = await connected();
    server.freeze();
    await Promise.all(Array.from({ length: 5 }, () => counter.use('manage', 'a')));
    // Another server has its port from now on, as after a failover. Only a new connection reaches it.
    await server.kill();
    server = await start(server.port);
    await expect.poll(counter.mode, soon).toBe('redis');
    expect(await counter.use('manage', 'a')).toMatchObject({ remaining: 599 });
  });

  it('makes new connections while Redis hangs, because the old one may be dead', async () => {
    const counter = await connected();
    const connect = vi.spyOn(Socket.prototype, 'connect');
    server.freeze();
    await counter.use('manage', 'a');
    await expect.poll(() => connect.mock.calls.length, soon).toBeGreaterThan(1);
    connect.mockRestore();
    server.thaw();
    await expect.poll(counter.mode, soon).toBe('redis');
  });

  it('leaves a master that became a replica, reconnects, and returns when there is a master', async () => {
    const counter = await connected();
    await ask((admin) => admin.config('RESETSTAT'));
    await ask((admin) => admin.replicaof('127.0.0.1', 1));
    expect(await counter.use('restore', 'a')).toMatchObject({ remaining: 19 });
    expect(counter.mode()).toBe('memory');
    expect(warn.mock.calls).toEqual([[{ reason: expect.stringMatching(/^READONLY/) }, expect.any(String)]]);
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await ask((admin) => admin.info('stats')))?.[1]);
    // Two of ours, and one for each check.
    const looks = vi.fn(connections);
    await expect.poll(async () => (await looks()) - looks.mock.calls.length - 1, soon).toBeGreaterThan(1);
    expect(counter.mode()).toBe('memory');
    expect(await counter.use('restore', 'a')).toMatchObject({ remaining: 18 });

    await ask((admin) => admin.replicaof('NO', 'ONE'));
    await expect.poll(counter.mode, soon).toBe('redis');
    // Once each, although the replica answered pings all the time.
    expect(warn).toHaveBeenCalledOnce();
    expect(info).toHaveBeenCalledTimes(2);
  });

  it('does not blame Redis for a pause of its own process', async () => {
    const counter = await connected();
    const first = counter.use('manage', 'a');
    await new Promise(setImmediate);
    const second = counter.use('manage', 'a');
    const until = Date.now() + 150;
    while (Date.now() < until);
    expect([await first, await second]).toMatchObject([{ remaining: 599 }, { remaining: 598 }]);
    expect(counter.mode()).toBe('redis');
    expect(warn).not.toHaveBeenCalled();
  });

  it('never logs the password', async () => {
    await ask((admin) => admin.config('SET', 'requirepass', 'another'));
    const url = new URL(server.url);
    url.password = 'a-password';
    counterOf(url.href);
    await expect.poll(() => warn.mock.calls, soon).toHaveLength(1);
    expect(warn.mock.calls[0]).toEqual([{ reason: expect.stringMatching(/^WRONGPASS/) }, expect.any(String)]);
    expect(inspect(warn.mock.calls, { depth: 10 })).not.toContain('a-password');
  });

  it('releases everything when it is closed, and logs nothing', async () => {
    const counter = await connected();
    expect(counter.health()).toEqual({ ok: true });
    const clients = async () => `${await ask((admin) => admin.client('LIST'))}`.trim().split('\n').length;
    expect(await clients()).toBe(2);
    counter.close();
    await expect.poll(clients).toBe(1);
    expect(await counter.use('manage', 'a')).toMatchObject({ allowed: true });
    expect(warn).not.toHaveBeenCalled();
  });
});
