// GET /api/links/get-by-slug: spec 4.3. This is the most critical route: every tap that opens an installed app ends
// here.
// Over Kafka: openings are published, and gateways wait for edits of links.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN, type TestApp } from '@landfall/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, inOneProcess, newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const ID = '0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a01';

describe('a link', () => {
  it('is answered with the fields of spec 2.3 and no others', async () => {
    const app = await system.makeApp();
    const made = await system.makeLink(app, '/invite/7?code=42&utm_source=mail', { invite: 'x', utm_medium: 'push' });
    const answer = await calls.resolve({ slug: made.slug, appId: app.app.id });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json).toEqual({
      success: true,
      link: {
        id: made.id,
        slug: made.slug,
        destination: '/invite/7?code=42&utm_source=mail',
        destination_path: '/invite/7',
        destination_web_url: '/invite/7?code=42&utm_source=mail',
        parameters: { invite: 'x', utm_medium: 'push', code: '42', utm_source: 'mail' },
        metadata: {
          invite: 'x',
          utm_medium: 'push',
          utm_source: 'mail',
          destination_path: '/invite/7',
          destination_full: '/invite/7?code=42&utm_source=mail',
          created_via: 'sdk',
        },
      },
    });
  });

  once.it('answers HEAD as GET, without a body', async () => {
    const app = await system.makeApp();
    const { slug } = await system.makeLink(app);
    const path = `/api/links/get-by-slug?slug=${slug}&appId=${app.app.id}`;
    const [get, head] = [await system.send({ path }), await system.send({ method: 'HEAD', path })];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

once.describe('which app', () => {
  let app: TestApp;
  let slug: string;
  beforeAll(async () => {
    app = await system.makeApp();
    slug = (await system.makeLink(app)).slug;
  });

  it('is told by appId, in any case', async () => {
    for (const appId of [app.app.id, app.app.id.toUpperCase()])
      expect((await calls.resolve({ slug, appId })).status).toBe(200);
  });

  it('is told by any spelling of its hosts', async () => {
    const { subdomain } = app.app;
    const hosts = [subdomain, `open-${subdomain}`].map((label) => `${label}.${LINK_DOMAIN}`);
    for (const host of hosts) {
      for (const hostname of [host, host.toUpperCase(), `${host}:8080`, `${host}.`])
        expect((await calls.resolve({ slug, hostname })).status, hostname).toBe(200);
    }
  });

  it.each(['oauth', `none.${LINK_DOMAIN}`, LINK_DOMAIN, 'x'.repeat(300)])(
    'is unknown for the host %s',
    async (hostname) => {
      expectError(await calls.resolve({ slug: 'callback', hostname }), 404, 'APP_NOT_FOUND');
    },
  );

  it('is no host that only ends or begins like one', async () => {
    const { subdomain } = app.app;
    for (const hostname of [
      `x.${subdomain}.${LINK_DOMAIN}`,
      `${subdomain}${LINK_DOMAIN}`,
      subdomain,
      `open-open-${subdomain}.${LINK_DOMAIN}`,
    ])
      expectError(await calls.resolve({ slug, hostname }), 404, 'APP_NOT_FOUND');
  });

  it('is told by appId where both are given', async () => {
    const other = await system.makeApp();
    const hostname = `${other.app.subdomain}.${LINK_DOMAIN}`;
    expect((await calls.resolve({ slug, appId: app.app.id, hostname })).status).toBe(200);
    expect((await calls.resolve({ slug, appId: app.app.id, hostname: 'oauth' })).status).toBe(200);
    const own = `${app.app.subdomain}.${LINK_DOMAIN}`;
    expectError(await calls.resolve({ slug, appId: other.app.id, hostname: own }), 404, 'LINK_NOT_FOUND');
    expectError(await calls.resolve({ slug, appId: randomUUID(), hostname: own }), 404, 'APP_NOT_FOUND');
  });

  it('is not told by the key', async () => {
    const query = new URLSearchParams({ slug });
    expectError(await system.sdk(app, { path: `/api/links/get-by-slug?${query}` }), 400, 'INVALID_REQUEST');
  });

  it('must be told', async () => {
    for (const query of ['slug=x', 'slug=x&hostname=']) {
      const answer = await calls.resolve(query);
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.details[0].path).toMatch(/appId|hostname/);
    }
  });
});

once.describe('the query', () => {
  it('counts with the last value of a repeated parameter', async () => {
    const app = await system.makeApp();
    const { slug } = await system.makeLink(app);
    const wrong = randomUUID();
    const path = (query: string) => `/api/links/get-by-slug?${query}`;
    const last = await system.send({ path: path(`slug=x&slug=${slug}&appId=${wrong}&appId=${app.app.id}`) });
    expect(last.status).toBe(200);
    const first = await system.send({ path: path(`slug=${slug}&slug=x&appId=${app.app.id}`) });
    expectError(first, 404, 'LINK_NOT_FOUND');
  });

  it.each([
    ['', 'slug'],
    [`appId=${ID}`, 'slug'],
    ['slug=x&appId=1', 'appId'],
    ['slug=x&hostname=a%00', 'hostname'],
  ])('is refused, naming the field: %s', async (query, path) => {
    const answer = await system.send({ path: `/api/links/get-by-slug?${query}` });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('is refused when it is too long', async () => {
    expectError(await calls.resolve({ slug: 'x'.repeat(2049), appId: ID }), 400, 'INVALID_REQUEST');
    expectError(await calls.resolve({ slug: 'x', hostname: 'x'.repeat(301) }), 400, 'INVALID_REQUEST');
  });

  it('finds nothing for what is no slug, at no cost', async () => {
    const app = await system.makeApp();
    const { slug } = await system.makeLink(app);
    const wrong = [`${slug}x`, `x/${slug}`, 'callback', '../x', `${'x'.repeat(2048)}`, '%', '🙂', "'; drop"];
    for (const one of wrong) expectError(await calls.resolve({ slug: one, appId: app.app.id }), 404, 'LINK_NOT_FOUND');
  });

  it("finds no other app's link", async () => {
    const [one, two] = [await system.makeApp(), await system.makeApp()];
    const { slug } = await system.makeLink(one);
    expectError(await calls.resolve({ slug, appId: two.app.id }), 404, 'LINK_NOT_FOUND');
  });
});

describe('a link that has ended', () => {
  it('is gone while it is archived', async () => {
    const app = await system.makeApp();
    const { id, slug } = await system.makeLink(app);
    const query = { slug, appId: app.app.id };
    expect((await calls.resolve(query)).status).toBe(200);
    await calls.edit(id, { archived: true });
    expectError(await calls.resolve(query), 404, 'LINK_NOT_FOUND');
    await calls.edit(id, { archived: false });
    expect((await calls.resolve(query)).status).toBe(200);
  });

  once.it('is gone from the moment of its expiry', async () => {
    const app = await system.makeApp();
    const { id, slug } = await system.makeLink(app);
    const query = { slug, appId: app.app.id };
    await calls.edit(id, { expiresAt: new Date(system.clock() + 60_000).toISOString() });
    expect((await calls.resolve(query)).status).toBe(200);
    system.clock.advance({ seconds: 61 });
    expectError(await calls.resolve(query), 404, 'LINK_NOT_FOUND');
    await calls.edit(id, { expiresAt: null });
    expect((await calls.resolve(query)).status).toBe(200);
  });
});

describe('a key', () => {
  once.it.each(['', 'wrong', `ol_${'0'.repeat(32)}`])('that is invalid is ignored: "%s"', async (key) => {
    const app = await system.makeApp();
    const { slug } = await system.makeLink(app);
    const headers = { 'x-service-sdk-key': key, authorization: `Bearer ${key}` };
    expect((await calls.resolve({ slug, appId: app.app.id }, { headers })).status).toBe(200);
  });

  it('says that the app is there, so that the tap just before waits for no install', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const ip = freshIp();
    await calls.tap(link.url, { ip });
    await system.sdk(app, { ip, path: `/api/links/get-by-slug?slug=${link.slug}&appId=${app.app.id}` });
    await system.settled();
    expect((await calls.restore(app, newDevice().body, { ip })).json.count).toBe(0);
  });

  once.it.each(['no key', "another app's key", 'another address', 'eleven minutes later'])(
    'says nothing of the tap with %s',
    async (how) => {
      const [app, other] = [await system.makeApp(), await system.makeApp()];
      const link = await system.makeLink(app);
      const ip = freshIp();
      await calls.tap(link.url, { ip });
      if (how === 'eleven minutes later') system.clock.advance({ minutes: 11 });
      const from = how === 'another address' ? freshIp() : ip;
      const path = `/api/links/get-by-slug?slug=${link.slug}&appId=${app.app.id}`;
      if (how === 'no key') await system.send({ ip: from, path });
      else await system.sdk(how === "another app's key" ? other : app, { ip: from, path });
      await system.settled();
      expect((await calls.restore(app, newDevice().body, { ip })).json.count).toBe(1);
    },
  );
});

once.describe('a page of another site', () => {
  const ALLOW = 'access-control-allow-origin';
  const origin = { origin: 'https://shop.example' };

  it('may read the answer without a key, also an error, and none with a key', async () => {
    const app = await system.makeApp();
    const { slug } = await system.makeLink(app);
    const path = `/api/links/get-by-slug?slug=${slug}&appId=${app.app.id}`;
    expect((await system.send({ path, headers: origin })).headers[ALLOW]).toBe('*');
    for (const wrong of [`${path}x`, '/api/links/get-by-slug'])
      expect((await system.send({ path: wrong, headers: origin })).headers[ALLOW]).toBe('*');
    const ip = freshIp();
    for (let n = 0; n < 30; n++) await system.send({ path, ip, headers: origin });
    const over = await system.send({ path, ip, headers: origin });
    expectError(over, 429, 'RATE_LIMITED');
    expect(over.headers[ALLOW]).toBe('*');
    for (const name of ['x-service-sdk-key', 'authorization', 'x-openlynk-sdk-key']) {
      const headers = { ...origin, [name]: name === 'authorization' ? 'Bearer x' : app.key };
      expect((await system.send({ path, headers })).headers[ALLOW], name).toBe(undefined);
    }
  });

  it('may ask first, at this route alone', async () => {
    const ask = { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'GET' } };
    const asked = await system.send({ ...ask, path: '/api/links/get-by-slug?slug=x' });
    expect([asked.status, asked.text]).toEqual([204, '']);
    expect(asked.headers).toMatchObject({
      [ALLOW]: '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'content-type, x-landfall-client',
    });
    for (const path of ['/api/links/create-sdk', '/api/address', '/api/manage/me']) {
      const other = await system.send({ ...ask, path });
      expect([other.status, other.headers[ALLOW]]).toEqual([405, undefined]);
    }
    for (const path of ['/api/address', '/api/manage/me', '/readyz'])
      expect((await system.send({ path, headers: origin })).headers[ALLOW]).toBe(undefined);
  });
});
