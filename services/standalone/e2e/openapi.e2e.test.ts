// The OpenAPI document, its page and health. What the document says is held against real answers.
import { freshIp, type Received, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, newDevice, patch, post, put } from './calls.ts';
import { type Operation, readDocument } from './document.ts';
import { follow, type Json, misfitIn } from './json-schema.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
let document: Json;
let operations: Operation[];
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
  ({ document, operations } = await readDocument(system));
});
afterAll(() => system.stop());

const operation = (id: string) => operations.find((one) => one.id === id)!;

/** Every object in the document, with its place. */
function* objectsIn(value: unknown, place = '#'): Generator<[place: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value];
  for (const [key, child] of Object.entries(value)) yield* objectsIn(child, `${place}/${key}`);
}

describe('the document', () => {
  it('is OpenAPI 3.1 and says where the API is', async () => {
    const answer = await system.send({ path: '/openapi.json' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
      servers: [{ url: 'http://api.test' }],
    });
  });

  it('has every route of the specification and of the management API, and no others', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /api/manage/apps/{appId}/keys/{keyId}',
      'GET /api/links/get-by-slug',
      'GET /api/manage/apps',
      'GET /api/manage/apps/{appId}',
      'GET /api/manage/apps/{appId}/keys',
      'GET /api/manage/apps/{appId}/links',
      'GET /api/manage/apps/{appId}/restores',
      'PATCH /api/manage/apps/{appId}',
      'PATCH /api/manage/links/{linkId}',
      'POST /api/deferred-deep-linking/install-heartbeat',
      'POST /api/deferred-deep-linking/restore',
      'POST /api/deferred-deep-linking/store',
      'POST /api/links/create-sdk',
      'POST /api/manage/apps',
      'POST /api/manage/apps/{appId}/keys',
      'PUT /api/manage/apps/{appId}/plan',
    ]);
  });

  it('is sound: names are unique, references lead somewhere, parameters and tags are declared', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map((tag: Json) => tag.name);
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { path, definition } of operations) {
      expect(definition.summary).toMatch(/\w/);
      for (const tag of definition.tags) expect(tags).toContain(tag);
      for (const choice of definition.security) for (const name of Object.keys(choice)) expect(schemes).toContain(name);
      const inPath = (definition.parameters ?? []).filter((one: Json) => one.in === 'path');
      expect(inPath.map((one: Json) => one.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const one of inPath) expect(one.required).toBe(true);
      for (const response of Object.values<Json>(definition.responses)) expect(response.description).toMatch(/\w/);
    }
    for (const [place, { $ref }] of objectsIn(document)) {
      if (typeof $ref === 'string') expect(follow(document, $ref), place).toBeTypeOf('object');
    }
  });

  it('has schemas of known keywords, and patterns that compile', () => {
    const misfit = misfitIn(document);
    const schemas = operations.flatMap(({ definition }) => [
      ...(definition.parameters ?? []).map((one: Json) => one.schema),
      ...[definition.requestBody ?? [], Object.values<Json>(definition.responses)]
        .flat()
        .map((one) => one.content['application/json'].schema),
    ]);
    // Each looks at the value as far as it can: one that is looked into nowhere is no schema.
    for (const schema of schemas) expect(misfit(schema, Symbol('nothing')), JSON.stringify(schema)).toMatch(/is not/);
    for (const [place, { pattern }] of objectsIn(document)) {
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u'), place).not.toThrow();
    }
  });

  it('asks for a key where the specification does, and for none else', () => {
    const securityOf = (id: string) => operation(id).definition.security;
    const key = [{ sdkKey: [] }, { sdkKeyBearer: [] }];
    for (const id of ['createLink', 'restoreLinks', 'recordHeartbeat', 'storePendingLink'])
      expect(securityOf(id)).toEqual(key);
    expect(securityOf('getLinkBySlug')).toEqual([{}, ...key]);
    for (const { path, definition } of operations)
      if (path.startsWith('/api/manage')) expect(definition.security).toEqual([{ ownerToken: [] }]);
  });

  it('names the statuses of spec 4.2 and 7 for a create', () => {
    expect(operation('createLink').statuses).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 429, 500]));
    for (const { statuses } of operations) expect(statuses).toEqual(expect.arrayContaining([200, 405, 429, 500, 503]));
  });
});

describe('what it says of answers', () => {
  let app: TestApp;
  let link: { id: string; slug: string; url: string };
  let answers: Map<string, Received>;

  /** One call that works for each operation, with the body that was sent. */
  beforeAll(async () => {
    app = await system.makeApp({ ios: { storeId: '1' } });
    const appPath = `/api/manage/apps/${app.app.id}`;
    const ip = freshIp();
    const sent = new Map<string, unknown>();
    const manage = (id: string, request: Parameters<System['manage']>[0]) => {
      if (request.body !== undefined) sent.set(id, request.body);
      return system.manage(request);
    };
    const made = { destination: '/a?x=1&utm_source=y', metadata: { a: [1, { b: null }] }, appId: app.app.id };
    sent.set('createLink', made);
    const created = await calls.create(app, made);
    link = created.json.link;
    await calls.tap(link.url, { ip });
    const device = newDevice();
    sent.set('restoreLinks', device.body);
    sent.set('recordHeartbeat', device.body);
    const stored = { linkId: link.id, originalUrl: link.url, userEmail: 'a@example.com', deviceFingerprint: 'f' };
    sent.set('storePendingLink', stored);
    const key = await manage('createKey', post(`${appPath}/keys`, { label: 'x' }));
    answers = new Map([
      ['createLink', created],
      ['getLinkBySlug', await calls.resolve({ slug: link.slug, appId: app.app.id })],
      ['recordHeartbeat', await calls.heartbeat(app, device.body, { ip })],
      ['restoreLinks', await calls.restore(app, device.body, { ip })],
      ['storePendingLink', await calls.store(app, stored)],
      [
        'createApp',
        await manage(
          'createApp',
          post('/api/manage/apps', { name: 'x', subdomain: `o${crypto.randomUUID().slice(0, 8)}` }),
        ),
      ],
      ['listApps', await manage('listApps', { path: '/api/manage/apps?limit=1' })],
      ['getApp', await manage('getApp', { path: appPath })],
      ['updateApp', await manage('updateApp', patch(appPath, { ios: { teamId: 'ABCDE12345' }, name: 'y' }))],
      ['setPlan', await manage('setPlan', put(`${appPath}/plan`, { name: 'x', linksPerMonth: 9 }))],
      ['createKey', key],
      ['listKeys', await manage('listKeys', { path: `${appPath}/keys` })],
      ['revokeKey', await manage('revokeKey', { method: 'DELETE', path: `${appPath}/keys/${key.json.key.id}` })],
      ['listLinks', await manage('listLinks', { path: `${appPath}/links` })],
      [
        'editLink',
        await manage('editLink', patch(`/api/manage/links/${link.id}`, { expiresAt: '2030-01-01T00:00:00+01:00' })),
      ],
      ['listRestores', await manage('listRestores', { path: `${appPath}/restores` })],
    ]);
    for (const { id, definition } of operations) expect(Boolean(definition.requestBody), id).toBe(sent.has(id));
    for (const [id, body] of sent) expect(operation(id).takes(body), id).toBe(true);
  });

  it('holds for one that works, of every route', () => {
    expect([...answers.keys()].sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const { id, check } of operations) {
      const answer = answers.get(id)!;
      expect(answer.status, `${id} ${answer.text}`).toBe(200);
      check(answer);
    }
    expect(answers.get('restoreLinks')!.json.count).toBe(1);
    expect(answers.get('listRestores')!.json.restores).toHaveLength(1);
    expect(answers.get('listApps')!.json.next).toEqual(expect.any(String));
  });

  it('would not hold for another', () => {
    const { check } = operation('createLink');
    const answer = answers.get('createLink')!;
    const changed = (change: object) => ({
      ...answer,
      json: { ...answer.json, link: { ...answer.json.link, ...change } },
    });
    for (const change of [{ id: 'x' }, { slug: 1 }, { url: undefined }, { metadata: [] }, { more: 1 }])
      expect(() => check(changed(change)), JSON.stringify(change)).toThrow();
    expect(() => check({ ...answer, json: { ...answer.json, success: false } })).toThrow();
    expect(() => check({ ...answer, status: 201 })).toThrow();
  });

  it('holds for a refusal of every route', async () => {
    for (const { method, path, check } of operations) {
      const at = path.replace(/\{\w+\}/g, crypto.randomUUID());
      check(await system.send({ method, path: at }));
      check(
        await system.send({
          method,
          path: at,
          headers: { authorization: `Bearer ${system.ownerToken}`, 'x-service-sdk-key': app.key },
        }),
      );
      check(await system.manage({ method, path: path.replace(/\{\w+\}/g, 'x'), body: { destination: 1, name: 1 } }));
      check(await system.sdk(app, { method, path: at, body: { destination: 1, linkId: crypto.randomUUID() } }));
    }
  });

  it('holds for a used-up plan', async () => {
    const limited = await system.makeApp({}, 0);
    const answer = await calls.create(limited, { destination: '/a' });
    expect(answer.status).toBe(403);
    operation('createLink').check(answer);
  });
});

describe('what it says of bodies', () => {
  it('is what is done', async () => {
    const app = await system.makeApp();
    const tried: [id: string, send: typeof calls.create, bodies: unknown[]][] = [
      [
        'createLink',
        calls.create,
        [
          {},
          { destination: '/' },
          { destination: 'a' },
          { destination: '//a' },
          { destination: '/a\\' },
          { destination: '/', metadata: null },
          { destination: '/', metadata: [] },
          { destination: '/', metadata: {} },
          { destination: '/', other: 1 },
          [],
          null,
          'x',
          { destination: `/${'x'.repeat(2048)}` },
        ],
      ],
      [
        'restoreLinks',
        calls.restore,
        [
          {},
          { userEmail: 'x' },
          { userEmail: ' ' },
          { deviceFingerprint: 'x' },
          { deviceFingerprint: '' },
          { installReferrer: '' },
          { userEmail: 'x', deviceFingerprint: 1 },
          { appId: 1 },
          { userEmail: 'x'.repeat(321) },
        ],
      ],
      [
        'recordHeartbeat',
        calls.heartbeat,
        [
          {},
          { deviceFingerprint: 'x' },
          { deviceFingerprint: '' },
          { deviceFingerprint: null },
          { deviceFingerprint: 'x', appId: null },
        ],
      ],
      [
        'storePendingLink',
        calls.store,
        [
          {},
          { linkId: 'x' },
          { linkId: 1 },
          { linkId: crypto.randomUUID() },
          { linkId: crypto.randomUUID(), userEmail: '' },
          { linkId: crypto.randomUUID(), originalUrl: 'x'.repeat(4097) },
        ],
      ],
    ];
    const json = { headers: { 'content-type': 'application/json' } };
    for (const [id, send, bodies] of tried) {
      for (const body of bodies) {
        const { status, text } = await send(app, JSON.stringify(body), json);
        expect(status === 400, `${id} ${JSON.stringify(body)?.slice(0, 80)} ${text}`).toBe(!operation(id).takes(body));
      }
    }
  });
});

describe('its page', () => {
  it('is there with all that it loads, from here', async () => {
    expect(await system.send({ path: '/' })).toMatchObject({ status: 302, headers: { location: '/docs' } });
    const redirect = await system.send({ path: '/docs' });
    expect(redirect.headers.location).toBe('/docs/');
    const page = await system.send({ path: '/docs/' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url!);
    expect(loaded.length).toBeGreaterThan(3);
    for (const url of loaded) {
      const { pathname, host } = new URL(url, 'http://api.test/docs/');
      expect(host).toBe('api.test');
      const asset = await system.send({ path: pathname });
      expect(asset.status, pathname).toBe(200);
      expect(asset.text.length).toBeGreaterThan(0);
    }
    expect((await system.send({ path: '/docs/swagger-ui-init.js' })).text).toContain('/openapi.json');
  });
});

describe('health', () => {
  it('lives', async () => {
    const answer = await system.send({ path: '/livez' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'alive' } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is ready, and says what it needs by name', async () => {
    const answer = await system.send({ path: '/readyz' });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json.status).toBe('ready');
    for (const name of ['bus', 'gateway']) expect(answer.json.checks[name]).toMatchObject({ ok: true });
    for (const check of Object.values<Json>(answer.json.checks)) expect(check.ok).toBe(true);
    expect(answer.text).not.toMatch(/postgres(ql)?:\/\//);
  });
});
