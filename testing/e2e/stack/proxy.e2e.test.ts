// Tests the proxy of Compose with a gateway and a console of the test behind it: what it answers, logs, counts and lets
// through, and where it sends a request.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@landfall/local';
import { isForConsole } from '@landfall/stack';
import { send } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { root } from './docker/compose.ts';

const folder = path.join(root, 'deploy/proxy');
const missing = spawnSync('haproxy', ['-v']).status !== 0;
const PERSON = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe.skipIf(missing)(missing ? "Compose's proxy (needs haproxy: install it)" : "Compose's proxy", () => {
  let proxy: ChildProcess | undefined;
  let log = '';
  let [port, metrics, gatewayPort, consolePort, healthPort, consoleHealthPort] = [0, 0, 0, 0, 0, 0];
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  const home = mkdtempSync(path.join(tmpdir(), 'landfall-proxy-'));

  beforeAll(async () => {
    [port = 0, metrics = 0, gatewayPort = 0, consolePort = 0, healthPort = 0, consoleHealthPort = 0] =
      await freePorts(6);
  });
  afterEach(async () => {
    await stop();
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) await closed(server);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** Starts the proxy with the file of the image, where only addresses and the given times are others. */
  async function start({
    change = (config: string) => config,
    trusted = '255.255.255.255',
    env = {},
  } = {}): Promise<void> {
    const config = readFileSync(path.join(folder, 'haproxy.cfg'), 'utf8')
      .replaceAll('/etc/haproxy/', `${folder}/`)
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace('bind :9464', `bind 127.0.0.1:${metrics}`)
      .replace('check port 9464', `check port ${healthPort}`)
      .replace(' resolvers docker init-addr none', '')
      .replace(/server-template gateway-.*/, `server gateway-1 127.0.0.1:${gatewayPort}`)
      .replace(/server-template console-.*/, `server console-1 127.0.0.1:${consolePort} port ${consoleHealthPort}`);
    const file = path.join(home, 'haproxy.cfg');
    writeFileSync(file, change(config));
    const { args } = /ENTRYPOINT \[(?<args>.*)\]/.exec(readFileSync(path.join(folder, 'Dockerfile'), 'utf8'))!.groups!;
    const [program = '', ...options] = JSON.parse(`[${args}]`) as string[];
    log = '';
    proxy = spawn(program, [...options, file], { env: { ...process.env, TRUSTED_PROXIES: trusted, ...env } });
    for (const stream of [proxy.stdout!, proxy.stderr!])
      stream.on('data', (data) => {
        log += data;
      });
    const answers = () => get('/livez', {}, metrics).catch(() => undefined);
    await expect.poll(answers, { timeout: 10_000 }).toMatchObject({ status: 200 });
  }
  async function stop(): Promise<void> {
    if (!proxy) return;
    proxy.kill('SIGKILL');
    await once(proxy, 'exit');
    proxy = undefined;
  }

  async function gateway(
    answer: RequestListener,
    health: RequestListener = (_, res) => res.end(),
    console: RequestListener = answer,
  ): Promise<void> {
    const healthy: RequestListener = (_, res) => res.end();
    for (const [listener, at] of [
      [answer, gatewayPort],
      [console, consolePort],
      [healthy, consoleHealthPort],
      [health, healthPort],
    ] as const) {
      const server = createServer(listener).listen(at, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
    }
    if (proxy) await expect.poll(gateways).toBe(1);
  }
  const get = async (pathname: string, headers: Record<string, string> = {}, at = port) => {
    const response = await fetch(`http://127.0.0.1:${at}${pathname}`, { headers });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const metric = async (line: string) =>
    Number(
      (await get('/metrics', {}, metrics)).body
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.slice(line.length),
    );
  const gateways = () => metric('haproxy_backend_active_servers{proxy="gateways"}');

  it('answers programs and people itself while no gateway is there, logs it without addresses, and counts it', async () => {
    await start();
    const program = await get('/api/links/create-sdk?email=ann%40example.com');
    expect(program).toMatchObject({ status: 503, body: expect.stringContaining('"code":"BUSY"') });
    expect(JSON.parse(program.body)).toHaveProperty('error');
    expect(program.headers.get('retry-after')).toBe('1');
    expect(program.headers.get('content-type')).toBe('application/json; charset=utf-8');

    const person = await get('/api/20261126-abc', PERSON);
    expect(person).toMatchObject({ status: 503, body: expect.stringMatching(/^<!doctype html>.*Try again/) });
    expect(person.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(person.headers.get('cache-control')).toBe('no-store');

    const asked = 200;
    for (let i = 0; i < asked; i += 20) await Promise.all(Array.from({ length: 20 }, () => get('/api/x')));
    const lines = () => log.split('\n').filter((line) => line.startsWith('503 SC GET'));
    await expect.poll(lines).not.toHaveLength(0);
    expect(lines().length).toBeLessThan(50);
    expect(log).toContain("backend 'gateways' has no server available!");
    expect(lines().join()).not.toMatch(/ann|127\.0\.0\.1:\d+ to|email/);
    expect(await metric('haproxy_frontend_http_responses_total{proxy="landfall",code="5xx"}')).toBe(asked + 2);
  });

  it('passes on what a gateway answers, also its 503, and logs nothing of it', async () => {
    await start();
    await gateway((_, res) => res.writeHead(503, { 'content-type': 'text/plain' }).end('mine'));
    log = '';
    const { status, body, headers } = await get('/api/x', PERSON);
    expect([status, body, headers.get('content-type')]).toEqual([503, 'mine', 'text/plain']);
    expect(log).toBe('');
    expect(await metric('haproxy_server_http_responses_total{proxy="gateways",server="gateway-1",code="5xx"}')).toBe(1);
  });

  it('says that no answer came when a gateway ends in the middle, to people by a page', async () => {
    await start();
    await gateway((req) => req.socket.destroy());
    expect(await get('/api/x')).toMatchObject({ status: 503, body: expect.stringContaining('"code":"NO_ANSWER"') });
    expect(await get('/api/x', PERSON)).toMatchObject({ status: 503, body: expect.stringMatching(/^<!doctype html>/) });
    await expect.poll(() => log).toMatch(/50\d SH GET 127\.0\.0\.1:\d+ after \d+ ms, 0 retries, gateway-1/);
  });

  it('keeps a gateway that answers a check late, and leaves out one that says it stops', async () => {
    await start();
    let health: RequestListener = (_, res) => res.end();
    await gateway(
      (_, res) => res.end('done'),
      (req, res) => health(req, res),
    );
    let late = 0;
    const isLate = Promise.withResolvers<void>();
    health = (_, res) => {
      const answer = () => res.end();
      if (++late > 1) isLate.resolve();
      setTimeout(answer, 1_000);
    };
    await isLate.promise;
    expect(await get('/api/x')).toMatchObject({ status: 200, body: 'done' });
    health = (_, res) => res.writeHead(503).end();
    const stopped = performance.now();
    await expect.poll(gateways, { interval: 20, timeout: 5_000 }).toBe(0);
    // A check that was late may be under way.
    expect(performance.now() - stopped).toBeLessThan(4_000);
  });

  it('sends the console what is its, under the names of the API alone', async () => {
    const env = {
      PUBLIC_URL: 'https://api.shop.example',
      LINK_DOMAIN: 'links.shop.example',
      API_HOSTS: 'console, backend.internal',
      IPV6_HOST: 'v6.shop.example:8443',
    };
    await start({ env });
    const says =
      (what: string): RequestListener =>
      (_, res) =>
        void res.end(what);
    await gateway(says('gateway'), undefined, says('console'));
    await expect.poll(() => metric('haproxy_backend_active_servers{proxy="console"}')).toBe(1);
    const ofNode = isForConsole(env);
    const own = ['api.shop.example', 'API.shop.example.:8080', 'localhost:8080', 'console', 'backend.internal:80'];
    const others = [
      'demo.links.shop.example',
      'open-demo.links.shop.example',
      'go.shop.com',
      'shop.example',
      'pi.shop',
    ];
    const forConsole = [
      ...['/', '/apps/1/keys?a=/api/x', '/assets/index.js', '/sign-in', '/docs', '/docs/api', '/openapi.json'],
      ...[
        '/asyncapi.json',
        '/mcp',
        '/llms.txt',
        '/api/manage/apps',
        '/API/Manage/apps',
        '//api//manage/apps',
        '/api/manage',
      ],
      ...['/api/share', '/api/share/figures?filter=a', '/share', '/embed/x'],
      ...['/api/push/send', '/api/push/send/', '/apis', '/logo'],
    ];
    const forGateways = [
      ...[
        '/api/links/create-sdk',
        '/api/push/register',
        '/api/push/sender',
        '/api/managed',
        '/api/shares',
        '/api',
        '/logos/a.png',
      ],
      ...[
        '/.well-known/assetlinks.json',
        '/robots.txt',
        '/livez',
        '/readyz',
        '//api/links/get-by-slug?slug=/api/manage/',
      ],
    ];
    const cases = [
      ...[...own, 'v6.shop.example', '127.0.0.1:8080', '[::1]:8080'].flatMap((host) => [
        ...forConsole.map((path) => ['console', host, path] as const),
        ...forGateways.map((path) => ['gateway', host, path] as const),
      ]),
      ...others.flatMap((host) => [...forConsole, ...forGateways].map((path) => ['gateway', host, path] as const)),
    ];
    for (const [to, host, path] of cases) {
      const { text } = await send(port, { path, headers: { host } });
      expect([text, host, path]).toEqual([to, host, path]);
      expect([ofNode(path, host), host, path]).toEqual([to === 'console', host, path]);
    }
  });

  it('takes the address and the trace of a request only from proxies that are trusted', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const said = {
      'x-forwarded-for': '198.18.0.7',
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      tracestate: 'a=b',
    };
    await gateway((req, res) => {
      seen.push(req.headers);
      res.end();
    });
    await start();
    await expect.poll(gateways).toBe(1);
    await get('/api/x', said);
    expect(seen[0]).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(Object.keys(seen[0]!).filter((name) => name.startsWith('trace'))).toEqual([]);
    await stop();
    await start({ trusted: '10.0.0.0/8 127.0.0.1' });
    await expect.poll(gateways).toBe(1);
    await get('/api/x', said);
    expect(seen[1]).toMatchObject(said);
  });

  it('gives one client a bounded number of connections, and its trusted proxies as many as they need', async () => {
    await start();
    await gateway((_, res) => res.end('done'));
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      const gone = once(socket, 'close').then(
        () => 'closed',
        () => 'closed',
      );
      socket.on('error', () => {});
      socket.write('GET /x HTTP/1.1\r\nhost: x\r\n\r\n');
      return Promise.race([once(socket, 'data').then(() => 'open'), gone]);
    };
    const outcomes = await Promise.all(Array.from({ length: 210 }, open));
    expect(outcomes.filter((one) => one === 'open').length).toBeGreaterThan(190);
    expect(outcomes.filter((one) => one === 'closed').length).toBeGreaterThanOrEqual(10);
    for (const socket of sockets.splice(0)) socket.destroy();
    await stop();
    await start({ trusted: '127.0.0.1' });
    await expect.poll(gateways).toBe(1);
    expect(new Set(await Promise.all(Array.from({ length: 210 }, open)))).toEqual(new Set(['open']));
  });

  it('ends the connection of a client that reads nothing', async () => {
    await start({ change: (config) => config.replace('timeout client 30s', 'timeout client 1s') });
    await gateway((_, res) => res.end(Buffer.alloc(20_000_000)));
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /x HTTP/1.1\r\nhost: x\r\n\r\n');
    const open = () => metric('haproxy_frontend_current_sessions{proxy="landfall"}');
    await expect.poll(open).toBe(1);
    await expect.poll(open, { timeout: 10_000 }).toBe(0);
  });
});

const closed = (server: Server): Promise<unknown> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};
