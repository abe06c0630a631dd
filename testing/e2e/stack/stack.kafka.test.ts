// The scaled-out deployment: a separate process for each service, two gateways, Kafka and Redis.
import { startStack } from '@landfall/stack';
import { ANDROID, describeScaledOut, send } from '@landfall/testkit';
import { expect, it, vi } from 'vitest';
import { stackOfSuite } from './stack-of-suite.ts';

const LONG = { timeout: 30_000 };
const IP = '198.51.100.7';
const DEVICE = 'a device';

describeScaledOut('the stack', (brokers, redisUrl) => {
  const suite = stackOfSuite({ brokers, redisUrl, processes: { gateway: 2 } });

  /** Sends a request to the first or the second gateway. */
  const gateway = (i: 0 | 1, path: string, headers: Record<string, string>, body?: object) =>
    send(suite.stack.ports[i]!, { method: body ? 'POST' : 'GET', path, headers, body });
  const manage = (path: string, body: object) =>
    send(suite.stack.consolePorts[0]!, {
      method: 'POST',
      path: `/api/manage${path}`,
      headers: { authorization: `Bearer ${suite.stack.ownerToken}` },
      body,
    });
  const sdk = (i: 0 | 1, path: string, body: object) =>
    gateway(i, `/api/${path}`, { 'x-service-sdk-key': key, 'x-forwarded-for': IP }, body);
  let key = '';

  it('gives at one gateway what was made, tapped and installed at the other', async () => {
    const { json: made } = await manage('/apps', {
      name: 'Shop',
      subdomain: 'shop',
      android: { package: 'com.shop' },
    });
    ({ plaintext: key } = (await manage(`/apps/${made.app.id}/keys`, { label: 'test' })).json);
    const { json: created } = await sdk(0, 'links/create-sdk', { destination: '/invite?code=42' });

    const { host, pathname } = new URL(created.link.url);
    const tapped = await gateway(1, pathname, { host, 'user-agent': ANDROID, 'x-forwarded-for': IP });
    expect(tapped).toMatchObject({ status: 302, headers: { location: expect.stringContaining('play.google.com') } });
    await vi.waitFor(
      async () => expect(await suite.database.rows('select 1 from attribution.pending_links')).toHaveLength(1),
      LONG,
    );

    await sdk(0, 'deferred-deep-linking/install-heartbeat', { deviceFingerprint: DEVICE });
    const restored = await sdk(1, 'deferred-deep-linking/restore', { deviceFingerprint: DEVICE });
    expect(restored).toMatchObject({ status: 200, json: { success: true } });
    expect(JSON.stringify(restored.json)).toContain('/invite?code=42');
  });

  it('serves the health of each process, and its metrics', async () => {
    for (const { name, metricsPort } of suite.stack.processes) {
      expect(await send(metricsPort, { path: '/livez' }), name).toMatchObject({ status: 200 });
      const ready = await send(metricsPort, { path: '/readyz' });
      expect(ready, name).toMatchObject({ status: 200, json: { status: 'ready', checks: { bus: { ok: true } } } });
      expect((await send(metricsPort, { path: '/metrics' })).text, name).toContain(`instance_id="${name}"`);
    }
    expect((await send(suite.stack.process('link-1').metricsPort, { path: '/readyz' })).json.checks).toHaveProperty(
      'database',
    );
  });

  it('starts a process again that was killed, and what it is asked is answered again', async () => {
    const link = suite.stack.process('link-1');
    const before = link.pid();
    await link.kill();
    await vi.waitFor(async () => {
      const made = await sdk(1, 'links/create-sdk', { destination: '/again' });
      expect(made.status).toBe(200);
    }, LONG);
    expect(link.pid()).not.toBe(before);
    expect(suite.said).toContain('link-1 ended (SIGKILL), and is started again in a second');
  });

  it('lets a process end in order, and starts it again when asked', async () => {
    const gateway2 = suite.stack.process('gateway-2');
    expect(await gateway2.term()).toBe(0);
    expect(gateway2.pid()).toBeUndefined();
    expect(await suite.stack.process('console-1').term()).toBe(0);
    await Promise.all([gateway2.start(), suite.stack.process('console-1').start()]);
    expect(await manage('/apps', { name: 'Other', subdomain: 'other' })).toMatchObject({ status: 200 });
  });

  it('has one address for all of it', async () => {
    const at = (path: string, headers: Record<string, string> = {}) => send(suite.stack.port, { path, headers });
    const headers = { authorization: `Bearer ${suite.stack.ownerToken}` };
    expect(await at('/api/manage/apps', headers)).toMatchObject({ status: 200 });
    expect(await at('/docs')).toMatchObject({ status: 200 });
    expect(await at('/api/address')).toMatchObject({ status: 401 });
    expect(await at('/livez')).toMatchObject({ status: 200 });
    const made = await send(suite.stack.port, {
      method: 'POST',
      path: '/api/links/create-sdk',
      headers: { 'x-service-sdk-key': key },
      body: { destination: '/whole' },
    });
    const { host, pathname } = new URL(made.json.link.url);
    expect(await at(pathname, { host, 'user-agent': ANDROID })).toMatchObject({ status: 302 });
  });

  it('ends with one sentence when a port is taken, before it starts anything', async () => {
    const { port } = suite.stack;
    const lines: string[] = [];
    const starting = startStack({
      brokers,
      redisUrl,
      port: port - 1,
      processes: { gateway: 2 },
      onLine: (name) => lines.push(name),
    });
    await expect(starting).rejects.toThrow(`Port ${port} is taken: stop the program that uses it, or set PORT`);
    expect(lines).toEqual([]);
  });

  it('ends with the sentence of a process that cannot start', async () => {
    const { databaseUrl } = suite.stack;
    const lines: string[] = [];
    const starting = startStack({
      databaseUrl,
      brokers,
      redisUrl,
      prefix: suite.stack.env.KAFKA_PREFIX,
      env: { RATE_LIMITS: 'nonsense' },
      onLine: (name, line) => lines.push(`${name} ${line}`),
    });
    await expect(starting).rejects.toThrow('gateway-1 did not start: RATE_LIMITS must be name=number pairs');
    expect(lines).toContain('gateway-1 ended (exit code 1)');
  });

  it('stops all of it', async () => {
    const pids = suite.stack.processes.map((process) => process.pid()!);
    await suite.stack.stop();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(suite.said.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});
