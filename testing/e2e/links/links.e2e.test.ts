// Managing links: reading, searching and editing them. Also tests what an edit changes for the people who open the
// link.
// Over Kafka: taps and restores wait for edits of links.
import { randomUUID } from 'node:crypto';
import { freshIp, type TestApp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, inOneProcess, newDevice, patch, systemOfFile } from '../calls.ts';
import { DESKTOP } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const get = (path: string) => system.manage({ path });
const pathOf = (id: string) => `/api/manage/links/${id}`;
const listOf = (app: TestApp, query: Record<string, string> = {}) =>
  get(`/api/manage/apps/${app.app.id}/links?${new URLSearchParams(query)}`);

once.describe('a link', () => {
  it('is seen by itself, as the list has it, with its version', async () => {
    const app = await system.makeApp();
    const { id } = await system.makeLink(app, '/a?b=1', { c: 2 });
    const seen = await get(pathOf(id.toUpperCase()));
    expect(seen.status).toBe(200);
    expect(seen.headers.etag).toBe('"1"');
    const [{ figures, ...listed }] = (await listOf(app)).json.links;
    expect(seen.json.link).toEqual(listed);
    expect(figures).toEqual({ clicks: 0, installs: 0, lastTapAt: null });
    await calls.edit(id, { archived: true });
    expect((await get(pathOf(id))).headers.etag).toBe('"2"');
    expectError(await get(pathOf(randomUUID())), 404, 'LINK_NOT_FOUND');
  });

  it('is edited at the version that was seen, and at no other', async () => {
    const { id } = await system.makeLink(await system.makeApp(), '/a');
    const { etag } = (await get(pathOf(id))).headers as { etag: string };
    const edit = (destination: string, version: string) =>
      calls.change({ ...patch(pathOf(id), { destination }), headers: { 'if-match': version } });
    const edited = await edit('/b', etag);
    expect([edited.status, edited.headers.etag]).toEqual([200, '"2"']);
    for (const other of [etag, `W/"2"`, '"1", W/"2", "x"', '"none"'])
      expectError(await edit('/c', other), 412, 'VERSION_MISMATCH');
    for (const wrong of ['2', '*, "2"', '"2" "3"']) expectError(await edit('/c', wrong), 400, 'INVALID_REQUEST');
    expect((await get(pathOf(id))).json.link).toMatchObject({ destination: '/b', version: 2 });
    expect((await edit('/c', '"7", W/"1", "2", "1"')).headers.etag).toBe('"3"');
    expect((await edit('/d', '*')).headers.etag).toBe('"4"');
  });

  it.each([
    [{ destination: '//evil.example' }, 'destination'],
    [{ destination: `/${'x'.repeat(2048)}` }, 'destination'],
    [{ metadata: { x: 'x'.repeat(16_384) } }, 'metadata'],
    [{ expiresAt: '0000-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: '9999-12-31T23:59:59-01:00' }, 'expiresAt'],
  ])('is not edited with what it could not be made with: %j', async (body, path) => {
    const { id } = await system.makeLink(await system.makeApp());
    const answer = await calls.edit(id, body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
    expect((await get(pathOf(id))).json.link.version).toBe(1);
  });
});

describe('an edited link', () => {
  it('leads where it was edited to, for apps, browsers and those who installed first', async () => {
    const app = await system.makeApp({ webFallbackUrl: 'https://shop.example/app' });
    const link = await system.makeLink(app, '/old?utm_source=mail', { campaign: 'winter', destination_path: '/mine' });
    const hostname = new URL(link.url).host;
    const ip = freshIp();
    // The test resolves the link before the edit, so that every cache contains it.
    const before = await calls.resolve({ slug: link.slug, hostname });
    expect(before.json.link).toMatchObject({ destination: '/old?utm_source=mail' });
    await calls.tap(link.url, { ip });

    await calls.edit(link.id, { destination: '/new?utm_source=sms&x=1', metadata: { campaign: 'spring' } });

    const after = (await calls.resolve({ slug: link.slug, hostname })).json.link;
    expect(after).toMatchObject({
      id: link.id,
      slug: link.slug,
      destination: '/new?utm_source=sms&x=1',
      destination_path: '/new',
      destination_web_url: '/new?utm_source=sms&x=1',
      parameters: { campaign: 'spring', utm_source: 'sms', x: '1' },
    });
    expect(after.metadata).toEqual({
      campaign: 'spring',
      utm_source: 'sms',
      destination_path: '/new',
      destination_full: '/new?utm_source=sms&x=1',
      created_via: 'sdk',
    });
    const onDesktop = await system.tap(link.url, { userAgent: DESKTOP });
    expect(onDesktop.headers.location ?? onDesktop.text).toContain('/new?utm_source=sms');
    expect(onDesktop.headers.location ?? onDesktop.text).not.toContain('/old');
    const [restored] = (await calls.restore(app, newDevice().body, { ip })).json.restoredLinks;
    expect(restored).toMatchObject({
      linkId: link.id,
      destination: '/new?utm_source=sms&x=1',
      destination_path: '/new',
      metadata: { campaign: 'spring', destination_path: '/new' },
    });
  });

  once.it('keeps what was not edited, and may have no metadata at all', async () => {
    const app = await system.makeApp();
    const { id } = await system.makeLink(app, '/a', { z: 1, a: 2 });
    const moved = (await calls.edit(id, { destination: '/b' })).json.link;
    expect(moved).toMatchObject({ destination: '/b', metadata: { z: 1, a: 2 }, version: 2 });
    const emptied = (await calls.edit(id, { metadata: {} })).json.link;
    expect(emptied).toMatchObject({ destination: '/b', metadata: {}, version: 3 });
  });

  once.it('counts once, and a create with the same Idempotency-Key answers as it did first', async () => {
    const app = await system.makeApp({}, 1);
    const create = () =>
      calls.create(app, { destination: '/a', metadata: { a: 1 } }, { headers: { 'idempotency-key': 'once' } });
    const first = await create();
    await calls.edit(first.json.link.id, { destination: '/b', metadata: {} });
    expect((await create()).json).toEqual(first.json);
    expect((await calls.create(app, { destination: '/c' })).status).toBe(403);
  });
});

describe('a list of links', () => {
  once.it.each(['state=gone', 'search=', 'search=%00', 'createdFrom=2026', 'createdBefore=0000-01-01T00:00:00Z'])(
    'is not read with %s',
    async (query) => {
      const answer = await get(`/api/manage/apps/${(await system.makeApp()).app.id}/links?${query}`);
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.details[0].path).toBe(query.split('=')[0]);
    },
  );

  it('is whole, also where a page would be too much for one message', async () => {
    const app = await system.makeApp();
    const metadata = { x: 'x'.repeat(16_000) };
    const made: string[] = [];
    for (let i = 0; i < 40; i++) {
      // Another gateway, with another clock, may make the next one.
      system.clock.advance({ seconds: 1 });
      made.unshift((await system.makeLink(app, '/a', metadata)).id);
    }
    const first = (await listOf(app, { limit: '100' })).json;
    expect(first.links.length).toBeLessThan(40);
    const second = (await listOf(app, { limit: '100', cursor: first.next })).json;
    expect(second.next).toBeNull();
    expect([...first.links, ...second.links].map(({ id }: { id: string }) => id)).toEqual(made);
  });
});
