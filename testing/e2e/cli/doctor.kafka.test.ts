// Runs `landfall doctor` as an operator does, on services over Kafka and Redis. Each test causes one fault.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Finding } from '@landfall/cli/doctor';
import { startGatewayProcess } from '@landfall/gateway/process';
import { freePorts, systemEnv } from '@landfall/local';
import { describeScaledOut, send, startRedis } from '@landfall/testkit';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { beforeAll, expect, it, vi } from 'vitest';
import { stackOfSuite } from '../stack/stack-of-suite.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../tools/cli/src/main.ts');
/** The factor for the time limits of doctor, because the machine may be busy. */
const PATIENCE = '4';
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeScaledOut('doctor', (brokers, redisUrl) => {
  const suite = stackOfSuite({ brokers, redisUrl, processes: { gateway: 2 } });
  let env: NodeJS.ProcessEnv;
  let processes: string[];
  const printed: string[] = [];
  beforeAll(() => {
    const { stack } = suite;
    env = {
      ...systemEnv(),
      LANDFALL_DATA: '/nowhere',
      KAFKA_BROKERS: brokers.join(),
      KAFKA_PREFIX: suite.prefix,
      REDIS_URL: redisUrl,
      DATABASE_URL: stack.databaseUrl,
      PUBLIC_URL: stack.publicUrl,
      LINK_DOMAIN: stack.linkDomain,
      OWNER_TOKEN: stack.ownerToken,
    };
    const workers = stack.processes.filter(({ name }) => !name.startsWith('gateway-'));
    processes = workers.flatMap(({ metricsPort }) => ['--process', `http://127.0.0.1:${metricsPort}`]);
  });

  async function run(more: NodeJS.ProcessEnv, ...args: string[]) {
    const child = spawn(process.execPath, [MAIN, 'doctor', '--patience', PATIENCE, ...args], {
      env: { ...env, ...more },
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    printed.push(out, err);
    return { code, out, err };
  }

  async function doctor(more: NodeJS.ProcessEnv = {}, ...args: string[]) {
    const { code, out, err } = await run(more, '--json', ...args);
    expect(err).toBe('');
    const findings = JSON.parse(out) as Finding[];
    expect(code).toBe(findings.some(({ state }) => state === 'fail') ? 1 : 0);
    return (check: string) => findings.filter((finding) => finding.check === check);
  }

  it('finds nothing wrong where nothing is, and says so in one line each', async () => {
    const second = ['--gateway', `http://localhost:${suite.stack.ports[1]}`];
    const { code, out } = await run({}, ...second, ...processes);
    expect(out).toMatch(/^ok {7}landfall .*services over Kafka/);
    expect(out.split('\n').filter((line) => /^(FAIL|warn) /.test(line))).toEqual([]);
    expect(out).toMatch(/^ok {7}topics +all \d+ are there as the settings say/m);
    expect(out).toMatch(/^ok {7}groups +all \d+ have members/m);
    expect(out).toMatch(/^ok {7}redis +Redis \d\S+ answers in/m);
    expect(out).toMatch(
      /^ok {7}clocks +PostgreSQL, Redis, gateway gateway-[12], gateway at \S+, gateway gateway-[12] and this machine/m,
    );
    expect(out).toMatch(/^ok {7}hash secret +2 gateways have the same one/m);
    expect(out).toMatch(/\n0 FAIL, 0 warn, \d+ ok, \d+ skipped\.\n$/);
    expect(code).toBe(0);
  });

  it('says which service does not run, and what waits for it', async () => {
    const link = suite.stack.process('link-1');
    const { port } = suite.stack;
    const authorization = `Bearer ${suite.stack.ownerToken}`;
    const made = await send(port, {
      method: 'POST',
      path: '/api/manage/apps',
      headers: { authorization },
      body: { name: 'Shop', subdomain: 'shop' },
    });
    expect(await link.term()).toBe(0);
    await send(port, { path: `/api/links/get-by-slug?slug=x&appId=${made.json.app.id}` });
    const of = await doctor({}, ...processes);
    expect(of('groups')).toMatchObject([
      {
        state: 'fail',
        says: expect.stringMatching(
          /^nobody reads link\.commands, link\.queries: no link worker runs; [1-9]\d* messages? waits?$/,
        ),
        remedy: expect.stringContaining('Start a link worker'),
      },
    ]);
    expect(of('processes')).toMatchObject([
      { state: 'fail', says: `127.0.0.1:${link.metricsPort} does not say how it is` },
    ]);
    await link.start();
    await vi.waitFor(async () => expect((await doctor())('groups')).toMatchObject([{ state: 'ok' }]), {
      timeout: 60_000,
    });
  });

  it('says how topics differ from the settings', async () => {
    const of = await doctor({ KAFKA_PARTITIONS: '5', KAFKA_EVENT_HOURS: '1' });
    const says = of('topics').map((finding) => `${finding.state} ${finding.says}`);
    expect(says).toContainEqual(expect.stringMatching(/^warn .* and \d+ more: 3 partitions, KAFKA_PARTITIONS says 5$/));
    expect(says).toContainEqual(expect.stringMatching(/^warn .*: kept 168 h, KAFKA_EVENT_HOURS says 1 h$/));
  });

  it('says which topics are missing, and that nobody reads them', async () => {
    const of = await doctor({ KAFKA_PREFIX: 'nobody-has-this.' });
    expect(of('topics')).toMatchObject([
      { state: 'fail', says: expect.stringMatching(/^\d+ topics are missing: nobody-has-this\./) },
    ]);
    expect(of('groups').map(({ says }) => says)).toContainEqual(expect.stringContaining('no console runs'));
  });

  it('says which broker is away, and looks at the rest through the others', async () => {
    const of = await doctor({ KAFKA_BROKERS: `127.0.0.1:1,${brokers.join()}` });
    expect(of('brokers')).toMatchObject([
      { state: 'fail', says: expect.stringMatching(/^127\.0\.0\.1:1 does not answer: /) },
    ]);
    expect(of('topics')).toMatchObject([{ state: 'ok', says: expect.stringContaining('are there') }]);
    const without = await doctor({ KAFKA_BROKERS: '127.0.0.1:1' });
    expect(without('brokers')).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('KAFKA_BROKERS') }]);
    for (const check of ['topics', 'groups', 'dead letters'])
      expect(without(check), check).toMatchObject([{ state: 'skipped', says: 'no broker answers' }]);
    expect(without('database')).toMatchObject([{ state: 'ok' }]);
  });

  it('counts what was given up on and not replayed', async () => {
    const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer();
    await producer.connect();
    await producer.send({
      topic: `${suite.prefix}dead.link.commands`,
      messages: [
        { key: 'k', value: '{}' },
        { key: 'l', value: '{}' },
      ],
    });
    await producer.disconnect();
    expect((await doctor())('dead letters')).toMatchObject([
      { state: 'warn', says: 'given up on: 2 by link.commands', remedy: expect.stringContaining('dlq list') },
    ]);
  });

  it('says what is wrong with a Redis', async () => {
    const redis = await startRedis();
    try {
      const client = new Redis(redis.url);
      await client.config('SET', 'maxmemory', '100mb');
      client.disconnect();
      const url = redis.url;
      expect((await doctor({ REDIS_URL: url }))('redis')).toMatchObject([
        { state: 'warn', remedy: expect.stringContaining('volatile-ttl') },
      ]);
      redis.freeze();
      expect((await doctor({ REDIS_URL: url }))('redis')).toMatchObject([{ state: 'fail' }]);
      await redis.kill();
      expect((await doctor({ REDIS_URL: url.replace('//', '//:opensesame@') }))('redis')).toMatchObject([
        { state: 'fail', says: expect.stringMatching(/ECONNREFUSED .*counts limits by itself/) },
      ]);
    } finally {
      await redis.stop();
    }
  });

  it('says that a gateway has another secret, and another time', async () => {
    const [port, metricsPort] = await freePorts(2);
    const stray = await startGatewayProcess({
      env: {
        ...suite.stack.env,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        INSTANCE_ID: 'stray',
        HASH_SECRET: randomBytes(32).toString('hex'),
        LOG_LEVEL: 'silent',
      },
      now: () => Date.now() - 3_000,
    });
    try {
      const of = await doctor({}, '--gateway', `http://localhost:${port}`);
      expect(of('hash secret')).toMatchObject([
        {
          state: 'fail',
          says: expect.stringMatching(
            /^gateways have different secrets: (gateway-.* \/ stray|stray \/ gateway-.*)\. What/,
          ),
        },
      ]);
      expect(of('clocks')).toMatchObject([
        {
          state: 'warn',
          says: expect.stringMatching(/^the clock of gateway stray is [23]\.\d s behind this machine's$/),
        },
      ]);
    } finally {
      await stray.stop();
    }
  });

  it('prints no secret', () => {
    expect(printed.length).toBeGreaterThan(10);
    for (const secret of [suite.stack.ownerToken, suite.stack.env.HASH_SECRET!, 'opensesame'])
      expect(printed.some((text) => text.includes(secret))).toBe(false);
  });
});
