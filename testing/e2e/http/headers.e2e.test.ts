// The headers of every answer, the headers of the OpenAPI document and its page, and the handling of useless
// connections.
import { connect, type Socket } from 'node:net';
import { freshIp, LINK_DOMAIN, type System, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseRaw, sendRaw } from '../raw.ts';

describe('headers', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.stop());

  it('of every answer: nothing is sniffed, told to others, loaded or framed', async () => {
    const app = await system.makeApp();
    const { url } = await system.makeLink(app);
    const unknown = `http://${app.app.subdomain}.${LINK_DOMAIN}/nothing`;
    const answers = {
      api: await system.sdk(app, { path: '/api/links/get-by-slug?slug=x' }),
      refused: await system.send({ method: 'POST', path: '/api/links/create-sdk', body: '{' }),
      none: await system.send({ path: '/nothing' }),
      health: await system.send({ path: '/livez' }),
      document: await system.send({ path: '/openapi.json' }),
      page: await system.send({ path: '/docs' }),
      robots: await system.send({ path: '/robots.txt' }),
      file: await system.send({ path: '/.well-known/assetlinks.json', headers: { host: new URL(url).host } }),
      tap: await system.tap(url),
      tapOnNothing: await system.tap(unknown),
      notHttp: parseRaw(await sendRaw(system.port, 'nonsense\r\n\r\n')),
    };
    for (const [name, { headers }] of Object.entries(answers)) {
      const said = { sniff: headers['x-content-type-options'], referrer: headers['referrer-policy'] };
      expect([name, said]).toEqual([name, { sniff: 'nosniff', referrer: 'no-referrer' }]);
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
        expect([name, headers['content-security-policy']]).toEqual([name, expect.stringContaining(part)]);
      expect([name, headers['strict-transport-security']]).toEqual([name, undefined]);
    }
    for (const { headers } of [answers.api, answers.page])
      expect(headers['content-security-policy']).not.toContain('self');
  });

  it('of the document: made once, compressed, and sent to nobody who has it', async () => {
    const ask = (headers: Record<string, string>) => system.send({ path: '/openapi.json', headers });
    const plain = await ask({});
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, used] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const response = await fetch(`http://127.0.0.1:${system.port}/openapi.json`, {
        headers: { 'accept-encoding': accepted, 'x-forwarded-for': freshIp() },
      });
      expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, used]);
      expect(Number(response.headers.get('content-length'))).toBeLessThan(plain.text.length / 4);
      // `fetch` has decompressed the body.
      expect((await response.text()).length).toBe(plain.text.length);
    }
    const again = await ask({ 'if-none-match': plain.headers.etag! });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200);
  });
});

it('behind https say that it stays https, on every host', async () => {
  const system = await startSystem({
    PUBLIC_URL: 'https://api.test',
    HASH_SECRET: 'f3b1c9d27a4e58600d1f9b8e7c6a5d42',
    SEAL_SECRET: '0a9d8c7b6e5f4132a1b2c3d4e5f60718',
  });
  onTestFinished(() => system.stop());
  const app = await system.makeApp();
  const answers = [
    await system.send({ path: '/livez' }),
    await system.tap((await system.makeLink(app)).url),
    parseRaw(await sendRaw(system.port, 'nonsense\r\n\r\n')),
  ];
  for (const { headers } of answers) expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

describe('a connection', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ REQUEST_SECONDS: '1', MAX_CONNECTIONS: '10' });
  });
  afterAll(() => system?.stop());

  it.each([
    ['nothing', ''],
    ['half a request line', 'GET /liv'],
    ['half of the headers', 'GET /livez HTTP/1.1\r\nHost: api.test\r\nX-A: '],
    [
      'half of the body',
      'POST /api/links/create-sdk HTTP/1.1\r\nHost: api.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('over which only %s came is ended in time', async (_what, bytes) => {
    const before = performance.now();
    const text = await sendRaw(system.port, bytes);
    expect(performance.now() - before).toBeLessThan(5_000);
    // If the gateway can refuse a request without its body, it does not wait for the body.
    expect(text).toMatch(/^HTTP\/1\.1 (?:401|408) /);
    expect(text).toContain('HTTP/1.1 408 Request Timeout\r\n');
  });

  it('too many is closed at once, and counted; those that are open go on', async () => {
    const open: Socket[] = [];
    const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const next = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(system.port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      });
    try {
      for (let i = 0; i < 10; i++) open.push(await next());
      const tooMany = await next();
      tooMany.on('error', () => {});
      await closed(tooMany.resume());
      const answered = new Promise<string>((resolve) => open[0]!.once('data', (data) => resolve(String(data))));
      open[0]!.write('GET /livez HTTP/1.1\r\nHost: api.test\r\n\r\n');
      expect(await answered).toContain('200 OK');
    } finally {
      for (const socket of open) socket.destroy();
    }
    await expect
      .poll(() => sendRaw(system.port, 'GET /livez HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n'))
      .toContain('200 OK');
  });
});
