// Any invalid input gets a 4xx answer in our error form, never a 5xx and never a stack trace.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type Received, send } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, expectErrorForm, systemOfFile } from '../calls.ts';
import { parseRaw, sendRaw } from '../raw.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();

const JSON_TYPE = { 'content-type': 'application/json' };
/** One route of the gateway, and one of the console. All routes read their bodies in one place. */
const bodies: [string, string][] = [
  ['POST', '/api/links/create-sdk'],
  ['PATCH', '/api/manage/apps/APP'],
];

/** The compressed body has a few hundred bytes and expands to five million bytes. */
const large = ' '.repeat(5_000_000);
const bombs: [encoding: string, body: Uint8Array][] = [
  ['gzip', gzipSync(large)],
  ['deflate', deflateSync(large)],
  ['br', brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
];

/** Sends a request to any route with the credentials that the route needs. */
function sendTo(
  path: string,
  sent: { method?: string; headers?: Record<string, string>; body?: unknown },
): Promise<Received> {
  const full = { ...sent, path: path.replace('APP', app.app.id) };
  return path.startsWith('/api/manage') ? system.manage(full) : system.sdk(app, full);
}

describe.each(bodies)('%s %s', (method, path) => {
  const sendBody = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    sendTo(path, { method, headers, body });

  it.each(['{', '{"a":1}x', '\u{feff}{', '{"a":\u0000}'])('says that it is no JSON: %j', async (body) => {
    expectError(await sendBody(body), 400, 'INVALID_JSON');
  });

  it.each(['null', '"text"', '[{}]'])('says that it is no object: %s', async (body) => {
    expectError(await sendBody(body), 400, 'INVALID_REQUEST');
  });

  it('asks for a body where there is none', async () => {
    for (const headers of [{}, JSON_TYPE]) {
      const answer = await sendTo(path, { method, headers });
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.details[0].path).toBe('body');
    }
  });

  it.each(['destination', 'anything'])('refuses NUL, half a surrogate pair and __proto__ in %s', async (field) => {
    for (const value of [
      '"a\\u0000b"',
      '"a\\ud800"',
      '"\\udc00a"',
      '{"__proto__":1}',
      '[[{"a":{"__proto__":{}}}]]',
      '{"\\u0000":1}',
      '{"\\ud800":1}',
    ]) {
      expectError(await sendBody(`{"${field}":${value}}`), 400, 'INVALID_REQUEST');
    }
  });

  it('refuses __proto__ at the top, by any spelling', async () => {
    for (const body of ['{"__proto__":{"destination":"/a"}}', '{"\\u005f_proto__":null}'])
      expectError(await sendBody(body), 400, 'INVALID_REQUEST');
  });

  it('refuses more than 64 KB, however it comes', async () => {
    const large = JSON.stringify({ destination: '/a', name: 'x', metadata: { x: 'y'.repeat(70_000) } });
    expectError(await sendBody(large), 413, 'BODY_TOO_LARGE');
    expectError(await sendBody(' '.repeat(70_000)), 413, 'BODY_TOO_LARGE');
    expectError(await sendBody(large, { ...JSON_TYPE, 'transfer-encoding': 'chunked' }), 413, 'BODY_TOO_LARGE');
    for (const [encoding, body] of bombs)
      expectError(await sendBody(body, { ...JSON_TYPE, 'content-encoding': encoding }), 413, 'BODY_TOO_LARGE');
  });

  it.each([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/json; charset=latin1' },
  ])('refuses what is not JSON in UTF-8 by its type: %j', async (headers) => {
    expectError(
      await sendBody('{"destination":"/a"}', headers as Record<string, string>),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('refuses an encoding that it does not know, and one that is broken', async () => {
    expectError(await sendBody('{}', { ...JSON_TYPE, 'content-encoding': 'zstandard' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await sendBody('no gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }), 400, 'INVALID_REQUEST');
  });

  it('refuses what is nested thousands of levels deep', async () => {
    for (const depth of [1_000, 30_000]) {
      const array = '['.repeat(depth) + ']'.repeat(depth);
      for (const body of [
        array,
        `{"metadata":${array}}`,
        `{"destination":"/a","metadata":{"x":${array}}}`,
        `{"ios":${array}}`,
      ]) {
        const answer = await sendBody(body);
        expect([200, 400, 404], answer.text).toContain(answer.status);
        if (answer.status !== 200) expectErrorForm(answer);
      }
    }
  });
});

describe('a compressed body', () => {
  it('is taken when it is small', async () => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const body = compress(JSON.stringify({ destination: '/zipped' }));
      const answer = await calls.create(app, body, { headers: { ...JSON_TYPE, 'content-encoding': encoding } });
      expect(answer.json?.link?.destination, encoding).toBe('/zipped');
    }
  });
});

describe('a path', () => {
  it.each(['/api/', '/api/links/create-sdk/x', '/docs/nothing', '/api/%zz', '/api/manage/%2e%2e/apps'])(
    'that is none is 404: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await system.send({ method, path });
        expectError(answer, 404, 'NOT_FOUND');
      }
    },
  );

  it('with a wrong percent-encoding in a parameter is 400', async () => {
    for (const path of ['/api/manage/apps/%zz', '/api/manage/apps/%c3%28', '/api/manage/apps/%ff/keys'])
      expectError(await system.manage({ path }), 400, 'INVALID_REQUEST');
  });

  it('with a parameter that is no id is 400', async () => {
    for (const id of ['%00', 'a%2Fb', "'%20or%201=1", '00000000-0000-0000-0000-00000000000g', 'x'.repeat(5_000)])
      expectError(await system.manage({ path: `/api/manage/apps/${id}` }), 400, 'INVALID_REQUEST');
  });

  it.each([
    ['/api/links/create-sdk', 'POST'],
    ['/api/manage/apps/x', 'GET, HEAD, PATCH'],
    ['/api/manage/apps/x/keys', 'POST, GET, HEAD'],
  ])('says which methods it has: %s', async (path, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await system.send({ method, path });
      if (allowed.split(', ').includes(method)) {
        expect(answer.status).not.toBe(405);
        continue;
      }
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe(allowed);
    }
  });

  it('answers GET and HEAD alone where there is nothing else', async () => {
    for (const path of ['/livez', '/openapi.json', '/.well-known/assetlinks.json', '/api/manage/apps/x/usage']) {
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        const answer = await system.send({ method, path });
        expectError(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.headers.allow).toBe('GET, HEAD');
      }
    }
  });
});

describe('a query', () => {
  it.each([
    '%zz',
    '%00',
    'a=%ud800',
    '__proto__=1',
    '&&&',
    'x'.repeat(10_000),
    Array.from({ length: 2_000 }, (_, i) => `p${i}=1`).join('&'),
  ])('hurts nobody (%#)', async (query) => {
    for (const path of ['/api/links/get-by-slug?slug=x&appId=', '/api/manage/apps?limit=1&', '/livez?', '/nothing?']) {
      const answer = await system.manage({ path: path + query });
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) expectErrorForm(answer);
    }
  });
});

describe('headers', () => {
  it('that are huge are 431', async () => {
    const answer = parseRaw(
      await sendRaw(system.port, `GET /livez HTTP/1.1\r\nHost: api.test\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`),
    );
    expect(answer.status).toBe(431);
    expectErrorForm(answer as never);
  });

  it('that lie hurt nobody', async () => {
    const odd: Record<string, string>[] = [
      { 'x-forwarded-for': 'not an address' },
      { 'x-forwarded-for': `${'1.1.1.1,'.repeat(500)}` },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
      { host: 'evil.example:99999' },
      { host: '' },
      { host: 'ü.example' },
      { 'user-agent': 'x'.repeat(8_000) },
      { 'user-agent': '\xff\xfe' },
      { authorization: `Bearer ${' '.repeat(4_000)}x` },
      { te: 'trailers', upgrade: 'websocket', connection: 'upgrade' },
    ];
    for (const headers of odd) {
      const answer = await calls.create(app, { destination: '/a' }, { headers });
      expect(answer.status, JSON.stringify(headers)).toBeLessThan(500);
    }
  });
});

describe('raw bytes', () => {
  it.each([
    'rubbish\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/9.9\r\nHost: api.test\r\n\r\n',
    'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: api.test\r\nX: \x01\r\n\r\n',
    'POST /api/links/create-sdk HTTP/1.1\r\nHost: api.test\r\nContent-Length: x\r\n\r\n',
    'POST /api/links/create-sdk HTTP/1.1\r\nHost: api.test\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'POST /api/links/create-sdk HTTP/1.1\r\nHost: api.test\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ])('that are no HTTP are 400 in our form: %j', async (bytes) => {
    const answer = parseRaw(await sendRaw(system.port, Buffer.from(bytes, 'latin1')));
    expect(answer.status).toBe(400);
    expectErrorForm(answer as never);
    expect(answer.json.code).toBe('INVALID_REQUEST');
  });

  it('of an old client without a host are answered', async () => {
    for (const [path, status] of [
      ['/livez', 200],
      ['/nothing', 404],
      ['/', 302],
    ] as const) {
      const answer = parseRaw(await sendRaw(system.port, `GET ${path} HTTP/1.0\r\n\r\n`));
      expect(answer.status, path).toBe(status);
      expect(answer.headers['x-request-id']).toBeTruthy();
    }
  });

  it('with the whole URL in their first line are answered, as HTTP demands', async () => {
    const answer = parseRaw(
      await sendRaw(
        system.port,
        'GET http://api.test/livez?a=//b HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n',
      ),
    );
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'alive' });
  });

  it('with a chunk that is none end in 400', async () => {
    const head = `POST /api/links/create-sdk HTTP/1.1\r\nHost: api.test\r\nX-Service-SDK-Key: ${app.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = parseRaw(await sendRaw(system.port, `${head}zz\r\n`));
    expect(answer.status).toBe(400);
    expectErrorForm(answer as never);
  });

  it('leave the process standing', async () => {
    await sendRaw(system.port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n');
    expect((await system.send({ path: '/readyz' })).json.status).toBe('ready');
  });
});

it('nothing of all this was given up on, or is still tried', async () => {
  await system.settled();
  // Only requests from this machine see details.
  const { json } = await send(system.port, { path: '/readyz' });
  expect(json.checks.bus).toEqual({ ok: true });
});
