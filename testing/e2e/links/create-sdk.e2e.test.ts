// POST /api/links/create-sdk: spec 4.2.
// Over Kafka: created links are published, and numbers of all workers are unique.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN, SDK, startSystem, type TestApp } from '@landfall/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError, inOneProcess, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const PATH = '/api/links/create-sdk';

describe('a link', () => {
  it('is answered with the fields of spec 2.3 and no others', async () => {
    const app = await system.makeApp();
    const body = {
      destination: '/product/1?ref=a&utm_source=mail',
      metadata: { invite: 'x1', n: 3, deep: { list: [1, null] } },
    };
    const answer = await calls.create(app, body);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toBeTruthy();
    const { slug } = answer.json.link;
    expect(answer.json).toEqual({
      success: true,
      link: {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        slug: expect.stringMatching(/^\d{13}-[a-z0-9]{12,}$/),
        url: `http://${app.app.subdomain}.${LINK_DOMAIN}/${slug}`,
        destination: body.destination,
        metadata: {
          ...body.metadata,
          destination_path: '/product/1',
          destination_full: '/product/1?ref=a&utm_source=mail',
          created_via: 'sdk',
        },
      },
    });
  });

  once.it('has a slug that begins with the milliseconds of its making', async () => {
    const app = await system.makeApp();
    const before = system.clock();
    const { json } = await calls.create(app, { destination: '/' });
    const at = Number(json.link.slug.split('-')[0]);
    expect(at).toBeGreaterThan(before);
    expect(at).toBeLessThan(system.clock());
  });

  once.it("keeps the service's keys over the caller's", async () => {
    const app = await system.makeApp();
    const metadata = { created_via: 'me', destination_path: '/evil', destination_full: 1, kept: true };
    const { json } = await calls.create(app, { destination: '/a?b=1', metadata });
    const own = { created_via: 'sdk', destination_path: '/a', destination_full: '/a?b=1', kept: true };
    expect(json.link.metadata).toEqual(own);
    const found = await calls.resolve({ slug: json.link.slug, appId: app.app.id });
    expect(found.json.link.metadata).toEqual(own);
    expect(found.json.link.parameters).toEqual({ kept: true, b: '1' });
  });

  once.it.each(['/?a=1', '/a//b', '/ü/日本?q=🙂', '/%2F%2Fevil.example', `/${'x'.repeat(2047)}`])(
    'echoes its destination exactly: %s',
    async (destination) => {
      const app = await system.makeApp();
      const { status, json } = await calls.create(app, { destination });
      expect(status).toBe(200);
      expect(json.link.destination).toBe(destination);
      const found = await calls.resolve({ slug: json.link.slug, appId: app.app.id });
      expect(found.json.link.destination).toBe(destination);
    },
  );

  once.it('keeps metadata as given, in order, with any keys', async () => {
    const app = await system.makeApp();
    const metadata = '{"z":1,"a":"","constructor":{"prototype":null},"ключ":"🙂","1":[[[]]],"big":1e300}';
    const body = `{"destination":"/m","metadata":${metadata}}`;
    const { status, json } = await calls.create(app, body, { headers: { 'content-type': 'application/json' } });
    expect(status).toBe(200);
    expect(json.link.metadata).toMatchObject(JSON.parse(metadata));
    expect(json.link.metadata.constructor).toEqual({ prototype: null });
  });
});

once.describe('a wrong body', () => {
  it.each([
    [{}, 'destination'],
    [{ destination: 1 }, 'destination'],
    [{ destination: 'a' }, 'destination'],
    [{ destination: '//evil.example' }, 'destination'],
    [{ destination: '/\\evil.example' }, 'destination'],
    [{ destination: 'https://evil.example/a' }, 'destination'],
    [{ destination: `/${'x'.repeat(2048)}` }, 'destination'],
    [{ destination: '/a', metadata: [] }, 'metadata'],
    [{ destination: '/a', metadata: 'x' }, 'metadata'],
    [{ destination: '/a', metadata: { x: 'y'.repeat(16_384) } }, 'metadata'],
  ])('names the field: %j', async (body, path) => {
    const app = await system.makeApp();
    const answer = await calls.create(app, body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
    expect(answer.json.error).toContain(path);
  });
});

once.it.each([null, ''])('takes %j for metadata that is not given', async (metadata) => {
  const answer = await calls.create(await system.makeApp(), { destination: '/a', metadata });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.link.metadata).toEqual({ destination_path: '/a', destination_full: '/a', created_via: 'sdk' });
});

describe('an Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('makes one link, however often it is sent, and counts once', async () => {
    const app = await system.makeApp({}, 2);
    const body = { destination: '/once', metadata: { a: 1 } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => calls.create(app, body, withKey('k1'))));
    for (const answer of answers) expect(answer.json).toEqual(answers[0]!.json);
    expect((await calls.create(app, body)).status).toBe(200);
    expectError(await calls.create(app, body), 403, 'GENERATED_LINKS_LIMIT_REACHED');
    // The server returns an existing link even when the quota is used up.
    system.clock.advance({ minutes: 5 });
    expect((await calls.create(app, body, withKey('k1'))).json).toEqual(answers[0]!.json);
    await system.settled();
    const figure = await system.manage({ path: `/api/manage/apps/${app.app.id}/analytics?metric=linksCreated` });
    expect(figure.json.total).toBe(2);
  });

  once.it('is refused with another body', async () => {
    const app = await system.makeApp();
    await calls.create(app, { destination: '/one' }, withKey('k2'));
    expectError(await calls.create(app, { destination: '/two' }, withKey('k2')), 400, 'IDEMPOTENCY_KEY_REUSED');
    const other = { destination: '/one', metadata: { a: 1 } };
    expectError(await calls.create(app, other, withKey('k2')), 400, 'IDEMPOTENCY_KEY_REUSED');
  });

  once.it('of a mobile key, which everybody can find, takes none from a backend', async () => {
    const app = await system.makeApp();
    const keys = `/api/manage/apps/${app.app.id}/keys`;
    const { json } = await calls.change(post(keys, { kind: 'server' }));
    const backend = { app: app.app, key: json.plaintext };
    const taken = await calls.create(app, { destination: '/taken' }, withKey('order-1'));
    const made = await calls.create(backend, { destination: '/order' }, withKey('order-1'));
    expect(made.status, made.text).toBe(200);
    expect(made.json.link.id).not.toBe(taken.json.link.id);
    for (const [by, first] of [
      [app, taken],
      [backend, made],
    ] as const) {
      const { destination } = first.json.link;
      expect((await calls.create(by, { destination }, withKey('order-1'))).json).toEqual(first.json);
    }
  });

  once.it('belongs to its app', async () => {
    const [one, two] = [await system.makeApp(), await system.makeApp()];
    const ids = [one, two].map(
      async (app) => (await calls.create(app, { destination: '/a' }, withKey('k3'))).json.link.id,
    );
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });

  once.it.each(['', 'a b', 'x'.repeat(256), 'é'])('is refused when it is no key: "%s"', async (key) => {
    const app = await system.makeApp();
    const answer = await calls.create(app, { destination: '/a' }, withKey(key));
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('Idempotency-Key');
  });
});

describe("the plan's limit", () => {
  once.it('answers 403 to the letter', async () => {
    const app = await system.makeApp({}, 1);
    await system.makeLink(app);
    const answer = await calls.create(app, { destination: '/more' });
    expectError(answer, 403, 'GENERATED_LINKS_LIMIT_REACHED');
    expect(answer.json).toEqual({
      error: expect.any(String),
      code: 'GENERATED_LINKS_LIMIT_REACHED',
      reason: 'GENERATED_LINKS_LIMIT_REACHED',
      limitReached: true,
      upgradeRequired: null,
      currentCount: 1,
      limit: 1,
      plan: 'limited',
    });
  });

  it('lets 200 creates at once make exactly the 50 that are left', async () => {
    const app = await system.makeApp({}, 50);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => calls.create(app, { destination: `/n/${i}` })),
    );
    const made = answers.filter((answer) => answer.status === 200);
    expect(made).toHaveLength(50);
    expect(new Set(made.map((answer) => answer.json.link.id)).size).toBe(50);
    for (const answer of answers) {
      if (answer.status !== 200) expect(answer.json).toMatchObject({ currentCount: 50, limit: 50, limitReached: true });
    }
    const listed = await system.manage({ path: `/api/manage/apps/${app.app.id}/links?limit=100` });
    expect(listed.json.links).toHaveLength(50);
  });
});

once.describe('the key', () => {
  /** Sends a create with these headers only. */
  const withHeaders = (headers: Record<string, string>) =>
    system.send({ method: 'POST', path: PATH, headers, body: { destination: '/a' } });

  it('comes in any of the headers, in any case', async () => {
    const { key } = await system.makeApp();
    const spellings: Record<string, string>[] = [
      { 'x-service-sdk-key': key },
      { 'X-Service-SDK-Key': key },
      { 'x-openlynk-sdk-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { Authorization: `BEARER  ${key}` },
    ];
    for (const headers of spellings) expect((await withHeaders(headers)).status, JSON.stringify(headers)).toBe(200);
  });

  it('comes in the headers that were configured, instead of the default', async () => {
    const other = await startSystem({ SDK_KEY_HEADERS: 'X-My-Key, x-other' });
    onTestFinished(() => other.stop());
    const { key } = await other.makeApp();
    const status = async (header: string) =>
      (await other.send({ method: 'POST', path: PATH, headers: { [header]: key }, body: { destination: '/a' } }))
        .status;
    for (const header of ['x-my-key', 'x-other', 'x-service-sdk-key']) expect(await status(header)).toBe(200);
    expect(await status('x-openlynk-sdk-key')).toBe(401);
  });

  it('is refused when it is missing, wrong or of another kind', async () => {
    const { key } = await system.makeApp();
    const wrong: Record<string, string>[] = [
      {},
      { 'x-service-sdk-key': '' },
      { 'x-service-sdk-key': `ol_${'0'.repeat(32)}` },
      { 'x-service-sdk-key': key.toUpperCase() },
      { 'x-service-sdk-key': `${key}0` },
      { 'x-service-sdk-key': `${key}, ${key}` },
      { authorization: key },
      { authorization: `Basic ${key}` },
      { authorization: `Bearer ${system.ownerToken}` },
      { cookie: `key=${key}` },
    ];
    for (const headers of wrong) {
      const answer = await withHeaders(headers);
      expectError(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expectError(await system.send(post(`${PATH}?key=${key}`, { destination: '/a' })), 401, 'UNAUTHORIZED');
  });

  it('is looked at before the body', async () => {
    expectError(await system.send({ method: 'POST', path: PATH, body: '{' }), 401, 'UNAUTHORIZED');
  });

  it('says which app it is, whatever the body claims', async () => {
    const [mine, other] = [await system.makeApp(), await system.makeApp()];
    for (const appId of [other.app.id, randomUUID(), 'x', 1, null, { a: [] }]) {
      const { status, json } = await calls.create(mine, { appId, destination: '/a' });
      expect(status).toBe(200);
      expect(json.link.url).toContain(mine.app.subdomain);
    }
  });
});

once.describe('as clients send it', () => {
  it.each(['application/json', 'Application/JSON ; charset="utf-8"; boundary=x'])(
    'takes the content type %s',
    async (type) => {
      const app: TestApp = await system.makeApp();
      const body = JSON.stringify({ destination: '/ü', metadata: { ä: 'ö' } });
      const answer = await calls.create(app, body, { headers: { 'content-type': type } });
      expect(answer.json).toMatchObject({ success: true, link: { destination: '/ü', metadata: { ä: 'ö' } } });
    },
  );

  it.each(['//api/links/create-sdk', '/api//links///create-sdk', '///api/links/create-sdk/'])(
    'is served at %s and never redirected',
    async (path) => {
      const { key } = await system.makeApp();
      const headers = { 'x-openlynk-sdk-key': key, 'user-agent': SDK };
      const answer = await system.send({ method: 'POST', path, headers, body: { destination: '/a//b' } });
      expect(answer.status).toBe(200);
      expect(answer.json.link.destination).toBe('/a//b');
    },
  );

  it('takes the request id that it is given, and echoes no other', async () => {
    const app = await system.makeApp();
    const named = (id: string) =>
      calls.create(app, { destination: '/a' }, { ip: freshIp(), headers: { 'x-request-id': id } });
    expect((await named('trace-1.2:3')).headers['x-request-id']).toBe('trace-1.2:3');
    expect((await named('<script>')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await named('x'.repeat(101))).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

once.it('reads a body with a byte order mark', async () => {
  const app = await system.makeApp();
  const headers = { 'content-type': 'application/json' };
  const answer = await system.sdk(app, {
    method: 'POST',
    path: PATH,
    headers,
    body: '\ufeff{"destination":"/marked"}',
  });
  expect(answer.json).toMatchObject({ success: true, link: { destination: '/marked' } });
});
