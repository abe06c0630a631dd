// Managing links: reading, searching and editing them. Also tests what an edit changes for the people who open the
// link.
// Over Kafka: taps and restores wait for edits of links.
import { randomUUID } from 'node:crypto';
import { freshIp, peopleOf, type System, startSystem, type TestApp, type TestPerson } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, expectError, newDevice, patch, post } from '../calls.ts';
import { DESKTOP } from '../user-agents.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system?.stop());

const get = (path: string) => system.manage({ path });
const pathOf = (id: string) => `/api/manage/links/${id}`;
const listOf = (app: TestApp, query: Record<string, string> = {}) =>
  get(`/api/manage/apps/${app.app.id}/links?${new URLSearchParams(query)}`);
const slugs = async (app: TestApp, query: Record<string, string>): Promise<string[]> =>
  (await listOf(app, query)).json.links.map((link: { slug: string }) => link.slug);

describe('a link', () => {
  it('is seen by itself, as the list has it, with its version', async () => {
    const app = await system.makeApp();
    const { id } = await system.makeLink(app, '/a?b=1', { c: 2 });
    const seen = await get(pathOf(id.toUpperCase()));
    expect(seen.status).toBe(200);
    expect(seen.headers.etag).toBe('"1"');
    expect(seen.json.link).toEqual((await listOf(app)).json.links[0]);
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
    [{ destination: 'https://evil.example' }, 'destination'],
    [{ destination: '//evil.example' }, 'destination'],
    [{ destination: null }, 'destination'],
    [{ destination: `/${'x'.repeat(2048)}` }, 'destination'],
    [{ metadata: null }, 'metadata'],
    [{ metadata: [1] }, 'metadata'],
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

  it('keeps what was not edited, and may have no metadata at all', async () => {
    const app = await system.makeApp();
    const { id } = await system.makeLink(app, '/a', { z: 1, a: 2 });
    const moved = (await calls.edit(id, { destination: '/b' })).json.link;
    expect(moved).toMatchObject({ destination: '/b', metadata: { z: 1, a: 2 }, version: 2 });
    const emptied = (await calls.edit(id, { metadata: {} })).json.link;
    expect(emptied).toMatchObject({ destination: '/b', metadata: {}, version: 3 });
  });

  it('counts once, and a create with the same Idempotency-Key answers as it did first', async () => {
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
  /** Makes a link that is later than the previous links, even if another gateway with another clock makes it. */
  async function makeNext(...wanted: Parameters<System['makeLink']>) {
    system.clock.advance({ seconds: 1 });
    return system.makeLink(...wanted);
  }

  it('is searched by what a destination or a slug begins with, and by a URL', async () => {
    const app = await system.makeApp();
    const [one, two, three] = [
      await makeNext(app, '/products/42?color=blue'),
      await makeNext(app, '/products/43'),
      await makeNext(app, '/invite?code=%25'),
    ];
    await system.makeLink(await system.makeApp(), '/products/42');
    expect(await slugs(app, { search: '/products/4' })).toEqual([two.slug, one.slug]);
    expect(await slugs(app, { search: '/products/42' })).toEqual([one.slug]);
    expect(await slugs(app, { search: '/invite?code=%' })).toEqual([three.slug]);
    expect(await slugs(app, { search: 'products' })).toEqual([]);
    expect(await slugs(app, { search: two.slug })).toEqual([two.slug]);
    expect(await slugs(app, { search: `${two.url}?utm_source=mail` })).toEqual([two.slug]);
    expect(await slugs(app, { search: two.slug.slice(0, 4) })).toEqual([three.slug, two.slug, one.slug]);
  });

  it('is of one state, and of a time', async () => {
    const app = await system.makeApp();
    const [live, expired, archived] = [
      await makeNext(app, '/live'),
      await makeNext(app, '/expired'),
      await makeNext(app, '/archived'),
    ];
    await calls.edit(expired.id, { expiresAt: '2020-01-01T00:00:00Z' });
    await calls.edit(archived.id, { archived: true });
    expect(await slugs(app, { state: 'live' })).toEqual([live.slug]);
    expect(await slugs(app, { state: 'expired' })).toEqual([expired.slug]);
    expect(await slugs(app, { state: 'archived' })).toEqual([archived.slug]);
    expect(await slugs(app, { state: 'all' })).toHaveLength(3);
    expect(await slugs(app, { state: 'archived', search: '/live' })).toEqual([]);
    const { createdAt } = (await get(pathOf(expired.id))).json.link;
    expect(await slugs(app, { createdFrom: createdAt })).toEqual([archived.slug, expired.slug]);
    expect(await slugs(app, { createdBefore: createdAt })).toEqual([live.slug]);
    expect(await slugs(app, { createdFrom: '1970-01-01T02:00:00+02:00', createdBefore: createdAt })).toEqual([
      live.slug,
    ]);
    expect(await slugs(app, { createdFrom: '9999-12-31T23:59:59Z' })).toEqual([]);
  });

  it.each(['state=gone', 'search=', 'search=%00', 'createdFrom=2026', 'createdBefore=0000-01-01T00:00:00Z'])(
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
    for (let i = 0; i < 40; i++) made.unshift((await makeNext(app, '/a', metadata)).id);
    const first = (await listOf(app, { limit: '100' })).json;
    expect(first.links.length).toBeLessThan(40);
    const second = (await listOf(app, { limit: '100', cursor: first.next })).json;
    expect(second.next).toBeNull();
    expect([...first.links, ...second.links].map(({ id }: { id: string }) => id)).toEqual(made);
  });
});

describe('an edit in the audit log', () => {
  it('stands among the other deeds of its team, with who made it and what changed', async () => {
    const people = peopleOf(system);
    const owner: TestPerson = await people.setUp();
    const teamId = await people.makeTeam(owner, 'Shop');
    const member = await people.join(owner, teamId, 'member');
    const made = await owner.send(
      post('/api/manage/apps', { teamId, name: 'Shop', subdomain: `l${randomUUID().slice(0, 8)}` }),
    );
    const appId = made.json.app.id;
    await system.settled();
    const { plaintext: key } = (await owner.send(post(`/api/manage/apps/${appId}/keys`, {}))).json;
    await system.settled();
    const link = await system.makeLink({ app: made.json.app, key }, '/a', { email: 'x' });
    const edited = await member.send(patch(pathOf(link.id), { destination: '/b', metadata: { email: 'y' } }));
    expect(edited.status, edited.text).toBe(200);
    await system.settled();
    await owner.send(patch(`/api/manage/apps/${appId}`, { name: 'Other' }));

    const read = async (query = '') => (await owner.send({ path: `/api/manage/teams/${teamId}/audit?${query}` })).json;
    const { entries } = await read();
    expect(entries.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
      'UpdateApp',
      'EditLink',
      'CreateKey',
    ]);
    expect(entries[1]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: { kind: 'person', userId: member.id, tokenId: null },
      actorEmail: member.email,
      address: expect.stringMatching(/^[\w-]{43}$/),
      action: 'EditLink',
      teamId,
      appId,
      subject: link.id,
      before: { destination: '/a', metadata: { email: 'x' } },
      after: { destination: '/b', metadata: { email: 'y' } },
    });
    expect((await read(`userId=${member.id}`)).entries[0]).toEqual(entries[1]);
    expect((await read(`appId=${randomUUID()}`)).entries).toEqual([]);
    // Page size must not change the log.
    const onePage: unknown[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: { entries: unknown[]; next: string | null } = await read(`limit=1${next && `&cursor=${next}`}`);
      onePage.push(...page.entries);
      next = page.next;
    }
    expect(onePage).toEqual(entries);
    const file = await owner.send({ path: `/api/manage/teams/${teamId}/audit/export?format=csv` });
    expect(file.text).toContain('EditLink');
  });
});
