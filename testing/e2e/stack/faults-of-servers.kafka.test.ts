// Servers that stop under load and come back: the broker and PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDeadLetters } from '@landfall/bus/kafka';
import { connect, type Database, type Embedded, startEmbedded } from '@landfall/db';
import { freePorts, kafkaAvailable } from '@landfall/local';
import { type Stack, startStack } from '@landfall/stack';
import { describeWithProgram, describeWithRedis, freshIp, send } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answered, assertKept, type Balancer, balancer, makeShop, type Shop, startLoad } from './load.ts';

const RECOVERED_MS = 10_000;
/**
 * Milliseconds for which the broker is away. This is longer than the time after which a cache assumes a gap in its
 * events.
 */
const BROKER_AWAY_MS = 8_000;
const DATABASE_AWAY_MS = 10_000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describeWithProgram(kafkaAvailable(), 'a server that goes away under load', () =>
  describeWithRedis('with Redis', underLoad),
);

function underLoad(redisUrl: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-faults-'));
  // PostgreSQL runs as another user when the tests run as root, and that user needs access.
  chmodSync(folder, 0o755);
  let port = 0;
  let postgres: Embedded;
  let database: Database;
  let stack: Stack;
  let ask: Balancer;
  let shop: Shop;
  const startPostgres = () => startEmbedded({ dir: path.join(folder, 'postgres'), durable: true, port });
  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    postgres = await startPostgres();
    database = connect({ url: postgres.url, max: 1, onIdleError: () => {} });
    stack = await startStack({
      databaseUrl: postgres.url,
      redisUrl,
      dir: path.join(folder, 'stack'),
      processes: { gateway: 2 },
      env: { RATE_LIMITS: 'manage=1000000' },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await database?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  let shops = 0;
  beforeEach(async () => {
    ask = balancer(stack);
    shop = await makeShop(ask, `shop-${++shops}`);
  });
  afterEach(async () => {
    ask.close();
    // The next test needs both servers, even if this test failed halfway.
    if (stack.kafka!.pid() === undefined) await stack.kafka!.restart();
    if (!isAlive(postgres.pid)) postgres = await startPostgres();
  });

  const refused = ({ status, headers }: Answered) => ({ status, again: headers['retry-after'] });

  /**
   * Taps and resolves a known link until the time. Returns the slowest tap and the slowest look-up, in milliseconds.
   */
  async function servedUntil(time: number, link: { url: string; slug: string }) {
    const slowest = { tap: 0, resolve: 0 };
    while (Date.now() < time) {
      const resolved = await ask.resolve(shop, link.slug);
      expect(resolved).toMatchObject({ status: 200, json: { link: { slug: link.slug } } });
      const tapped = await ask.tap(link.url);
      expect(tapped).toMatchObject({ status: 302 });
      slowest.resolve = Math.max(slowest.resolve, resolved.ms);
      slowest.tap = Math.max(slowest.tap, tapped.ms);
    }
    return slowest;
  }

  async function knownLink() {
    const { link } = (await ask.create(shop, '/known')).json;
    for (let i = 0; i < 2; i++) {
      expect((await ask.resolve(shop, link.slug)).status).toBe(200);
      expect((await ask.tap(link.url)).status).toBe(302);
    }
    return link;
  }

  /** Resolves with the time in milliseconds until a link can be created again. */
  async function recovered(): Promise<number> {
    const since = Date.now();
    const id = randomUUID();
    while ((await ask.create(shop, '/again', freshIp(), id)).status !== 200);
    return Date.now() - since;
  }

  /** Returns the warnings of the gateways about taps that were not published at once. */
  async function taps(): Promise<string> {
    const answers = await Promise.all(stack.ports.map((port) => send(port, { path: '/readyz' })));
    return answers.flatMap(({ json }) => json.checks.taps.detail ?? []).join(';');
  }

  const metricsOf = async (port: number) => (await send(port, { path: '/metrics' })).text;

  const workers = () => stack.processes.filter(({ name }) => !name.startsWith('gateway'));

  /** Checks that `/readyz` of each worker reports that the database is away and that the worker itself is healthy. */
  async function saySo(withinMs: number): Promise<void> {
    await Promise.all(
      workers().map(({ name, metricsPort }) =>
        expect
          .poll(() => send(metricsPort, { path: '/readyz' }), { timeout: withinMs })
          .toMatchObject({
            status: 503,
            json: { checks: { database: { ok: false }, [name.split('-')[0]!]: { ok: true } } },
          }),
      ),
    );
    for (const { metricsPort } of workers())
      expect(await metricsOf(metricsPort)).toContain('landfall_check_ok{check="database"} 0\n');
  }

  async function areWell(): Promise<void> {
    for (const { metricsPort } of workers())
      await expect
        .poll(() => send(metricsPort, { path: '/readyz' }), { timeout: 5_000 })
        .toMatchObject({ status: 200, json: { checks: { database: { ok: true }, bus: { ok: true } } } });
  }

  async function deadLetters() {
    const box = openDeadLetters({ brokers: stack.brokers }, quiet);
    const letters = [];
    for (const group of await box.groups()) letters.push(...(await box.list(group)));
    await box.close();
    return letters;
  }

  it('the broker: what must be new is refused, what is known goes on, taps are told late, and nothing is lost', {
    timeout: 120_000,
  }, async () => {
    const link = await knownLink();
    const load = startLoad(ask, shop, true);
    await load.rounds(8);
    await stack.kafka!.kill();
    const killed = Date.now();
    const creating = ask.create(shop, '/new');
    creating.catch(() => {});
    const ip = freshIp();
    expect(await ask.tap(link.url, ip)).toMatchObject({ status: 302 });
    const slowest = await servedUntil(killed + BROKER_AWAY_MS, link);
    expect(refused(await creating)).toEqual({ status: 503, again: '1' });
    expect(slowest.tap).toBeLessThan(1_500);
    expect(slowest.resolve).toBeLessThan(1_000);
    for (const { metricsPort } of stack.processes)
      expect(await metricsOf(metricsPort)).toMatch(/^landfall_bus_troubles [1-9]/m);

    await stack.kafka!.restart();
    expect(await recovered()).toBeLessThan(RECOVERED_MS);
    await expect.poll(taps, { timeout: 10_000 }).toMatch(/^(taps: 0 waiting, \d+ sent late, 0 lost;?)+$/);
    const device = randomUUID();
    await ask.heartbeat(shop, device, ip);
    await expect
      .poll(async () => (await ask.restore(shop, device, ip)).json.restoredLinks, {
        timeout: RECOVERED_MS,
        // The address may ask 20 times a minute.
        interval: 600,
      })
      .toMatchObject([{ linkId: link.id }]);
    await load.rounds(8);
    const done = await load.stop();
    await assertKept(database, shop, done);
  });

  it('PostgreSQL that hangs: workers say so, and it goes on where it was', async () => {
    const link = await knownLink();
    const load = startLoad(ask, shop, true);
    await load.rounds(8);
    // First the one that makes the others: a connection that is made meanwhile would go on working.
    process.kill(postgres.pid, 'SIGSTOP');
    const children = childrenOf(postgres.pid);
    for (const pid of children) process.kill(pid, 'SIGSTOP');
    try {
      await saySo(4_000);
      await servedUntil(Date.now() + 1_000, link);
    } finally {
      for (const pid of [...children, postgres.pid]) process.kill(pid, 'SIGCONT');
    }
    await load.rounds(8);
    await assertKept(database, shop, await load.stop());
    await areWell();
    expect(await deadLetters()).toEqual([]);
  });

  it('PostgreSQL: workers say so, nothing is given up, and everything goes on by itself', {
    timeout: 120_000,
  }, async () => {
    const link = await knownLink();
    const load = startLoad(ask, shop, true);
    await load.rounds(8);
    const all = [postgres.pid, ...childrenOf(postgres.pid)];
    process.kill(postgres.pid, 'SIGKILL');
    // The process of a connection can outlive its parent until it finishes its work, and it would still accept a
    // create.
    await expect.poll(() => anyRuns(all), { timeout: 5_000, interval: 5 }).toBe(false);
    const killed = Date.now();
    const creating = ask.create(shop, '/new');
    creating.catch(() => {});
    await saySo(4_000);
    await servedUntil(killed + DATABASE_AWAY_MS, link);
    expect(refused(await creating)).toEqual({ status: 503, again: '1' });
    for (const port of stack.ports) expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 200 });

    postgres = await startPostgres();
    expect(await recovered()).toBeLessThan(RECOVERED_MS);
    await load.rounds(8);
    const done = await load.stop();
    await assertKept(database, shop, done);
    await areWell();
    expect(await deadLetters()).toEqual([]);
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Tells whether any of the processes runs. Ignores ended processes whose parent never collects their exit status. */
const anyRuns = (pids: number[]): boolean =>
  spawnSync('ps', ['-o', 'stat=', '-p', pids.join()], { encoding: 'utf8' })
    .stdout.split('\n')
    .some((stat) => stat !== '' && !stat.startsWith('Z'));

/**
 * Returns the child processes. Each PostgreSQL connection is a process of its own, outside the process group of its
 * parent.
 */
const childrenOf = (pid: number): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number);
