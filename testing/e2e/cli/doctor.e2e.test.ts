// Runs `landfall doctor` on the real product in one process, behind a real proxy and a real name server. Each test
// causes one fault. Servers that never answer are in `tools/cli/src/doctor/hanging.unit.test.ts`.
// Full run: it starts servers with every fault that doctor knows.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer } from 'node:net';
import { examine, type Finding, findingsText } from '@landfall/cli/doctor';
import { appsOf, consoleConfig, storeOwnerToken } from '@landfall/console';
import { AppSettings } from '@landfall/contracts';
import { connect } from '@landfall/db';
import { createTestDatabase } from '@landfall/db/testing';
import { gatewayConfig } from '@landfall/gateway';
import { type Landfall, startLandfall } from '@landfall/standalone';
import {
  ANDROID,
  type Authority,
  type Certificate,
  type DnsServer,
  KEEP,
  makeAuthority,
  send,
  startDnsServer,
  testLogger,
} from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { type FrontProxy, type ProxyOptions, startProxy } from './proxy.ts';

const SECRET = randomBytes(32).toString('hex');
const OWNER = `lf_${randomBytes(16).toString('hex')}`;
const SHA = `${'AB:'.repeat(31)}CD`;
const NAMES = ['api.shop.test', '*.links.test'];
/** The factor for the time limits of doctor, because the machine may be busy. */
const PATIENCE = 4;

let authority: Authority;
let dns: DnsServer;
const started: { stop(): Promise<unknown> }[] = [];
const printed: string[] = [];

beforeAll(async () => {
  authority = makeAuthority();
  dns = await startDnsServer({});
});
afterAll(async () => {
  authority?.remove();
  await dns?.stop();
});
beforeEach(() => {
  dns.records = Object.fromEntries(NAMES.map((name) => [name, { A: ['127.0.0.1'] }]));
});
afterEach(async () => {
  for (const one of started.splice(0).toReversed()) await one.stop();
});

interface WorldOptions {
  env?: Record<string, string>;
  clock?: () => number;
  https?: boolean;
}

interface World {
  landfall: Landfall;
  proxy: FrontProxy;
  publicUrl: string;
  databaseUrl: string;
  /** Returns the findings of doctor, with additional environment variables. */
  doctor(env?: NodeJS.ProcessEnv, options?: { again: boolean }): Promise<Finding[]>;
}

/** Starts the product behind a proxy, with a database of its own. All of it is stopped at the end of the test. */
const world = (options: WorldOptions = {}) => startWorld(options, started);

/** Starts the product for all tests of this file that need no other one. After each test its proxy is as it was. */
function sharedWorld(options: WorldOptions): World {
  const own: typeof started = [];
  const shared = {} as World;
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = authority.certificateFor(NAMES, 90);
    Object.assign(shared, await startWorld(options, own));
  });
  afterEach(() => {
    const { proxy, landfall } = shared;
    proxy.options = {};
    proxy.target = landfall.port;
    if (options.https !== false) proxy.useCertificate(certificate);
  });
  afterAll(async () => {
    for (const one of own.toReversed()) await one.stop();
  });
  return shared;
}

async function startWorld({ env = {}, clock, https = true }: WorldOptions, started: { stop(): Promise<unknown> }[]) {
  const { url: databaseUrl, drop } = await createTestDatabase(inject('databaseServerUrl'));
  started.push({ stop: drop });
  const proxy = await startProxy(https ? { certificate: authority.certificateFor(NAMES, 90) } : {});
  started.push(proxy);
  const scheme = https ? 'https' : 'http';
  const publicUrl = `${scheme}://api.shop.test:${proxy.port}`;
  const settings = {
    PORT: '0',
    PUBLIC_URL: publicUrl,
    LINK_DOMAIN: `links.test:${proxy.port}`,
    HASH_SECRET: SECRET,
    SEAL_SECRET: randomBytes(32).toString('hex'),
    ...env,
  };
  const landfall = await startLandfall({
    databaseUrl,
    gateway: gatewayConfig(settings),
    console: consoleConfig(settings),
    push: { PUSH_WITHOUT_CREDENTIALS: 'log' },
    keep: KEEP,
    log: testLogger(),
    ...(clock && { bus: { clock, trusts: false } }),
  });
  started.push(landfall);
  proxy.target = landfall.port;
  await storeOwnerToken(landfall.database, OWNER, new Date());
  return {
    landfall,
    proxy,
    publicUrl,
    databaseUrl,
    // A second look at a fault takes as long as the first. A test that expects none lets doctor look again.
    async doctor(more: NodeJS.ProcessEnv = {}, { again } = { again: false }) {
      const findings = await examine(
        { LANDFALL_DATA: '/nowhere', DATABASE_URL: databaseUrl, OWNER_TOKEN: OWNER, PUBLIC_URL: publicUrl, ...more },
        { resolver: dns.address, ca: authority.ca, patience: PATIENCE, again },
      );
      printed.push(findingsText(findings), JSON.stringify(findings));
      return findings;
    },
  };
}

const makeApp = ({ landfall: { bus, database } }: World, subdomain = `s${randomBytes(4).toString('hex')}`) =>
  appsOf({ bus, database, log: testLogger() }).make({
    name: 'Shop',
    subdomain,
    settings: AppSettings.parse({
      ios: { teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
      android: { package: 'com.example.shop', certificates: [SHA] },
    }),
  });

const of = (findings: readonly Finding[], check: string) => findings.filter((finding) => finding.check === check);
const bad = (findings: readonly Finding[]) => findings.filter(({ state }) => state === 'fail' || state === 'warn');
vi.setConfig({ testTimeout: 60_000 });

const well = sharedWorld({ env: { TRUST_PROXY: '1' } });
const untrusted = sharedWorld({ env: { TRUST_PROXY: '10.0.0.0/8' } });
// With a public https address the product would refuse to start with this secret.
const plain = sharedWorld({ env: { HASH_SECRET: 'please change me, I am a secret!' }, https: false });

it('finds nothing wrong where nothing is', async () => {
  await makeApp(well, 'well');
  const findings = await well.doctor({}, { again: true });
  expect(bad(findings)).toEqual([]);
  expect(of(findings, 'proxy')).toMatchObject([{ state: 'ok', says: expect.stringContaining('is not believed') }]);
  expect(of(findings, 'names')).toMatchObject([{ state: 'ok', says: expect.stringContaining('without AAAA records') }]);
  expect(of(findings, 'public url')).toMatchObject([
    { state: 'ok', says: expect.stringContaining('good for 89 days') },
  ]);
  expect(of(findings, 'association files')).toMatchObject([
    { state: 'ok', says: expect.stringMatching(/^the files for Apple and Google are right on well\.links\.test/) },
  ]);
  expect(of(findings, 'clocks')).toMatchObject([{ state: 'ok', says: expect.stringMatching(/^PostgreSQL, gateway /) }]);
});

it('says that a database is down, and all that works without it', async () => {
  const findings = await well.doctor({ DATABASE_URL: 'postgresql://landfall:opensesame@127.0.0.1:1/landfall' });
  expect(of(findings, 'database')).toMatchObject([
    {
      state: 'fail',
      says: 'PostgreSQL at postgresql://127.0.0.1:1/landfall cannot be used: connect ECONNREFUSED 127.0.0.1:1',
      remedy: expect.stringContaining('Start PostgreSQL'),
    },
  ]);
  expect(of(findings, 'migrations')).toMatchObject([{ state: 'skipped' }]);
  expect(of(findings, 'public url')).toMatchObject([{ state: 'ok' }]);
});

it('looks again before it says that something failed', async () => {
  const url = new URL(well.databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    if (connections === 1) return socket.destroy();
    const behind = connectTo({ host, port });
    behind.on('error', () => {});
    return socket.pipe(behind).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.push({ stop: async () => server.close() });
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const findings = await well.doctor({ DATABASE_URL: url.href }, { again: true });
  expect(of(findings, 'database')).toMatchObject([{ state: 'ok' }]);
  expect(connections).toBeGreaterThan(1);
});

it('finds localhost behind another address, where it runs in a container', async () => {
  const it = await world({
    env: { PUBLIC_URL: 'http://localhost:1', LINK_DOMAIN: 'localhost:1', TRUST_PROXY: '1' },
    https: false,
  });
  await makeApp(it);
  const env = {
    PUBLIC_URL: 'http://localhost:1',
    LINK_DOMAIN: 'localhost:1',
    LANDFALL_LOCALHOST: `127.0.0.1:${it.proxy.port}`,
  };
  const findings = await it.doctor(env, { again: true });
  expect(bad(findings)).toEqual([]);
  expect(of(findings, 'public url')).toMatchObject([{ state: 'ok' }]);
  expect(of(findings, 'link hosts')).toMatchObject([{ state: 'ok' }]);
});

it('says which password is wrong without saying it', async () => {
  const url = new URL(well.databaseUrl);
  url.password = 'opensesame';
  expect(of(await well.doctor({ DATABASE_URL: url.href }), 'database')).toMatchObject([
    { state: 'fail', remedy: 'Correct the user and password in DATABASE_URL.' },
  ]);
});

it('says that a migration is missing, ended half or is of a later version', async () => {
  const database = connect({ url: well.databaseUrl, max: 1 });
  started.push({ stop: () => database.close() });
  const migrations = async () => of(await well.doctor(), 'migrations');
  const table = await database.rows('select * from _prisma_migrations order by migration_name');
  const restore = async () => {
    await database.rows('delete from _prisma_migrations');
    await database.rows(
      'insert into _prisma_migrations select * from json_populate_recordset(null::_prisma_migrations, $1)',
      [JSON.stringify(table)],
    );
  };
  try {
    await database.rows(
      'delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations)',
    );
    expect(await migrations()).toMatchObject([
      { state: 'fail', says: expect.stringMatching(/^1 migration is missing: \d+_/) },
    ]);
    await restore();
    await database.rows('update _prisma_migrations set finished_at = null');
    expect(await migrations()).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('did not end') }]);
    await restore();
    await database.rows(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '29990101000000_later', now())`,
    );
    expect(await migrations()).toMatchObject([
      { state: 'warn', says: expect.stringContaining('29990101000000_later') },
    ]);
  } finally {
    await restore();
  }
});

it('counts what was given up on', async () => {
  const { doctor, landfall } = well;
  await landfall.database.rows(
    `insert into bus.dead_letters (id, consumer_group, message, key, data, reason, attempts, message_id, at)
     values ('0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11', 'attribution', 'LinkClicked', 'k', '{}', 'Error', 3, gen_random_uuid(), now())`,
  );
  expect(of(await doctor(), 'dead letters')).toMatchObject([
    { state: 'warn', says: 'given up on: 1 by attribution', remedy: expect.stringContaining('dlq list') },
  ]);
  await landfall.database.rows('update bus.dead_letters set dropped_at = now()');
  expect(of(await doctor(), 'dead letters')).toMatchObject([{ state: 'ok' }]);
  await landfall.database.rows('delete from bus.dead_letters');
});

it('leaves no trace where its made-up address is not believed', async () => {
  const { landfall } = untrusted;
  const headers = { host: 'api.shop.test', 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${OWNER}` };
  const { json } = await send(landfall.port, { path: '/api/manage/gateway', headers });
  expect(json.gateway.caller).toMatchObject({ trusted: false, forwardedFor: '203.0.113.7', matchable: false });
  expect(json.gateway.untrustedProxies).toEqual([]);
  const { checks } = (await send(landfall.port, { path: '/readyz' })).json;
  expect(checks.proxies.detail).toBeUndefined();
});

it('says that a proxy is not trusted, which address it has and what to set', async () => {
  const remedy = 'Set TRUST_PROXY=10.0.0.0/8,127.0.0.1 on every gateway (now 10.0.0.0/8), and start them again.';
  const expected = [{ state: 'fail', says: expect.stringContaining('restores by address are always empty'), remedy }];
  expect(of(await untrusted.doctor(), 'proxy')).toMatchObject(expected);
});

it('does not know it without the owner token: the gateway names no address to strangers', async () => {
  const { doctor, landfall } = untrusted;
  const headers = { host: 'api.shop.test', 'x-forwarded-for': '198.51.100.1' };
  await send(landfall.port, { path: '/api/manage/apps', headers });
  expect(of(await doctor({ OWNER_TOKEN: '' }), 'proxy')).toMatchObject([
    { state: 'skipped', says: expect.stringContaining('there is no owner token') },
  ]);
  expect(of(await doctor({ OWNER_TOKEN: `lf_${'0'.repeat(32)}` }), 'proxy')).toMatchObject([
    { says: expect.stringContaining('does not take the owner token') },
  ]);
  // A doctor on the machine of the gateway reads there what it says.
  const { checks } = (await send(landfall.port, { path: '/readyz' })).json;
  expect(checks.proxies.detail).toContain('127.0.0.1 sends X-Forwarded-For and is not trusted');
});

it('says that TRUST_PROXY believes strangers', async () => {
  const { doctor } = await world({ env: { TRUST_PROXY: '2' } });
  expect(of(await doctor(), 'proxy')).toMatchObject([
    {
      state: 'fail',
      says: expect.stringContaining('believes what a client itself claims'),
      remedy: expect.stringContaining('TRUST_PROXY=2 counts more proxies than there are: set it to 1'),
    },
  ]);
});

it('says that a proxy takes X-Forwarded-For away', async () => {
  well.proxy.options = { forwarded: 'remove' };
  expect(of(await well.doctor(), 'proxy')).toMatchObject([
    {
      state: 'fail',
      says: expect.stringContaining('takes X-Forwarded-For away'),
      remedy: expect.stringContaining('proxy_set_header'),
    },
  ]);
});

it('says that a proxy writes what is no address', async () => {
  well.proxy.options = { forwarded: () => 'unknown' };
  expect(of(await well.doctor(), 'proxy')).toMatchObject([
    { state: 'fail', says: expect.stringContaining('"unknown"') },
  ]);
});

it('finds nothing wrong with a proxy that writes ports', async () => {
  well.proxy.options = { forwarded: (client) => `${client}:4711` };
  expect(of(await well.doctor(), 'proxy')).toMatchObject([{ state: 'ok' }]);
});

it('says that nearly all people have one address', async () => {
  const it = await world({ env: { RATE_LIMITS: 'heartbeat=1000' } });
  // All requests have one client address, which a trusted proxy reports. That address is another proxy in front of it.
  const beat = () =>
    send(it.landfall.port, {
      method: 'POST',
      path: '/api/deferred-deep-linking/install-heartbeat',
      headers: { host: 'api.shop.test', 'user-agent': ANDROID, 'x-forwarded-for': '10.0.0.7' },
      body: {},
    });
  for (let n = 0; n < 60; n++) await beat();
  expect(of(await it.doctor(), 'proxy')).toMatchObject([
    {
      state: 'fail',
      says: expect.stringMatching(
        /^100 % of the last 60 taps and starts of apps at gateway \S+ came from 10\.0\.0\.7, and 60 of them said/,
      ),
    },
  ]);
});

it('says why AAAA records are a loss', async () => {
  dns.records['*.links.test'] = { A: ['127.0.0.1'], AAAA: ['::1'] };
  expect(of(await well.doctor(), 'names')).toMatchObject([
    {
      state: 'warn',
      says: expect.stringContaining('browsers tap over IPv6, apps restore over IPv4, and the two never meet'),
      remedy: expect.stringContaining('Remove the AAAA records'),
    },
  ]);
});

it('says which names do not resolve, and which record is missing', async () => {
  await makeApp(well, 'lost');
  delete dns.records['*.links.test'];
  dns.records['lost.links.test'] = { A: ['127.0.0.1'] };
  const findings = await well.doctor();
  expect(of(findings, 'names')).toMatchObject([
    {
      state: 'fail',
      says: expect.stringContaining('open-lost.links.test'),
      remedy: 'Add the record *.links.test A 127.0.0.1, which covers the open- names as well, and no AAAA record.',
    },
  ]);
});

it('says what Apple and Google would not take', async () => {
  await makeApp(well);
  const files = async (answer: NonNullable<ProxyOptions['answer']>) => {
    well.proxy.options.answer = (req, res) => req.url!.startsWith('/.well-known/') && answer(req, res);
    return of(await well.doctor(), 'association files');
  };
  expect(
    await files((req, res) => Boolean(res.writeHead(301, { location: `https://www.links.test${req.url}` }).end())),
  ).toMatchObject([
    { state: 'fail', says: expect.stringMatching(/redirects to https:\/\/www\.links\.test.*follows no redirect/) },
  ]);
  expect(
    await files((_, res) => Boolean(res.writeHead(200, { 'content-type': 'text/plain' }).end('{}'))),
  ).toMatchObject([
    { state: 'fail', says: expect.stringContaining('content-type text/plain instead of application/json') },
  ]);
  const json = { 'content-type': 'application/json' };
  expect(
    await files((_, res) => Boolean(res.writeHead(200, json).end('{"applinks":{"details":[{"appIDs":["other"]}]}}'))),
  ).toMatchObject([{ state: 'fail', says: expect.stringContaining('does not hold ABCDE12345.com.example.shop') }]);
  expect(await files((_, res) => Boolean(res.writeHead(200, json).end(' '.repeat(200_000))))).toMatchObject([
    { state: 'fail', says: expect.stringContaining('longer than 128 KB') },
  ]);
  expect(await files((_, res) => Boolean(res.writeHead(401).end()))).toMatchObject([
    { state: 'fail', says: expect.stringContaining('status 401 instead of 200') },
  ]);
});

it.each([
  ['has expired', NAMES, -1, 'fail', 'certificate has expired'],
  ['ends soon', NAMES, 8, 'warn', 'ends in 7 days'],
  ['is for another name', ['www.shop.test'], 90, 'fail', 'certificate is for other names'],
] as const)('says that a certificate %s', async (_, names, days, state, sentence) => {
  well.proxy.useCertificate(authority.certificateFor(names, days));
  const findings = await well.doctor({ LINK_DOMAIN: `links.test:${well.proxy.port}` });
  expect(of(findings, 'public url')).toMatchObject([{ state, says: expect.stringContaining(sentence) }]);
  expect(of(findings, 'link hosts')).toMatchObject([{ state, says: expect.stringContaining(sentence) }]);
});

it('says that a certificate covers the API alone', async () => {
  well.proxy.useCertificate(authority.certificateFor(['api.shop.test'], 90));
  expect(of(await well.doctor(), 'link hosts')).toMatchObject([
    { state: 'fail', remedy: expect.stringContaining('a wildcard, *.<LINK_DOMAIN>') },
  ]);
});

it('says that nobody listens, that something else does, or that it redirects', async () => {
  const { proxy, doctor } = well;
  const url = async (env = {}) => of(await doctor(env), 'public url');
  proxy.options.answer = (_, res) => Boolean(res.writeHead(200).end('<h1>It works!</h1>'));
  expect(await url()).toMatchObject([{ state: 'fail', says: expect.stringContaining('not as Landfall') }]);
  proxy.options.answer = (_, res) => Boolean(res.writeHead(308, { location: 'https://www.shop.test/' }).end());
  expect(await url()).toMatchObject([
    { state: 'fail', says: expect.stringContaining('redirects to https://www.shop.test/') },
  ]);
  proxy.options = {};
  proxy.target = 1;
  expect(await url()).toMatchObject([{ state: 'fail', says: expect.stringContaining('no gateway behind it') }]);
  expect(await url({ PUBLIC_URL: 'https://api.shop.test:1' })).toMatchObject([
    { state: 'fail', says: expect.stringContaining('nothing listens there') },
  ]);
});

it('says that a proxy does not pass the Host header on', async () => {
  await makeApp(well);
  well.proxy.options.ownHost = 'localhost';
  expect(of(await well.doctor(), 'link hosts')).toMatchObject([
    { state: 'fail', remedy: expect.stringContaining('Host') },
  ]);
});

it('says that the services have another PUBLIC_URL', async () => {
  const { doctor } = await world({ env: { PUBLIC_URL: 'https://elsewhere.test' } });
  expect(of(await doctor(), 'public url')).toMatchObject([
    { state: 'fail', says: expect.stringContaining('PUBLIC_URL of the services is another') },
  ]);
});

it('says that there is no https, and sends the owner token nowhere in the clear', async () => {
  expect(of(await plain.doctor(), 'public url')).toMatchObject([
    { state: 'warn', says: expect.stringContaining('without https') },
  ]);
  const tokens: unknown[] = [];
  plain.proxy.options.answer = (req) => Boolean(tokens.push(req.headers.authorization)) && false;
  // A public address, to which doctor must not send the token.
  dns.records['api.shop.test'] = { A: ['127.0.0.1', '203.0.113.1'] };
  expect(of(await plain.doctor(), 'proxy')).toMatchObject([
    { state: 'skipped', says: expect.stringContaining('in the clear') },
  ]);
  expect(tokens.filter(Boolean)).toEqual([]);
});

it('says how far a clock is off', async () => {
  const { doctor } = await world({ clock: () => Date.now() + 7_500 });
  expect(of(await doctor(), 'clocks')).toMatchObject([
    { state: 'fail', says: expect.stringMatching(/^the clock of gateway \S+ is 7\.\d s ahead of this machine's$/) },
  ]);
});

it('says that a secret can be guessed', async () => {
  expect(of(await plain.doctor(), 'hash secret')).toMatchObject([
    { state: 'warn', remedy: expect.stringContaining('openssl rand -hex 32') },
  ]);
});

it('says which variable is wrong, and looks at the rest', async () => {
  const findings = await well.doctor({ LINK_DOMAIN: 'Not A Name', DATABASE_URL: 'mysql://opensesame@db/x' });
  expect(of(findings, 'settings')).toMatchObject([
    { state: 'fail', says: 'DATABASE_URL must be a postgresql:// URL.' },
    { state: 'fail', says: expect.stringMatching(/^LINK_DOMAIN must be a host name/) },
  ]);
  expect(of(findings, 'public url')).toMatchObject([{ state: 'ok' }]);
});

it('printed no secret in any of these', () => {
  expect(printed.length).toBeGreaterThan(20);
  for (const text of printed)
    for (const secret of [SECRET, OWNER, 'opensesame', new URL(inject('databaseServerUrl')).password])
      if (secret) expect(text).not.toContain(secret);
});
