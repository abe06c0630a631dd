// Links that people make: their names, slugs and pages, and what a tap and an app see of them.
// Over Kafka: gateways forget edited links, and count unknown slugs in Redis.
import { freshIp, peopleOf, type TestApp } from '@landfall/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, inOneProcess, patch, post, systemOfFile } from '../calls.ts';
import { DESKTOP, IPHONE } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();
let app: TestApp;
let linksPath: string;
beforeAll(async () => {
  app = await system.makeApp();
  linksPath = `/api/manage/apps/${app.app.id}/links`;
});

const make = (body: object) => system.manage(post(linksPath, { destination: '/a', ...body }));
const fields = {
  name: 'Spring sale 🌷',
  note: 'On the posters.',
  webUrl: 'https://shop.example/spring',
  iosUrl: 'https://apps.apple.com/app/id1?ppid=2',
  androidUrl: 'https://shop.example/get',
  expiredUrl: 'https://shop.example/over',
};
const none = { name: null, note: null, tags: [], webUrl: null, iosUrl: null, androidUrl: null, expiredUrl: null };

once.describe('a link of a person', () => {
  it('has its fields and its maker, in the answer, alone and in the list', async () => {
    const made = await make({ ...fields, tags: ['Spring ', 'spring', 'Poster'], slug: 'Spring-Sale', expiresAt: null });
    expect(made.status, made.text).toBe(200);
    const { link } = made.json;
    expect(link).toMatchObject({ ...fields, tags: ['spring', 'poster'], slug: 'spring-sale', version: 1 });
    expect(link.url).toMatch(/\/spring-sale$/);
    expect(link.createdBy).toEqual({ kind: 'operator', userId: null, name: null });
    expect((await system.manage({ path: `/api/manage/links/${link.id}` })).json.link).toEqual(link);
    const { links, total } = (await system.manage({ path: `${linksPath}?search=spring+${encodeURIComponent('🌷')}` }))
      .json;
    const figures = { clicks: 0, installs: 0, lastTapAt: null };
    expect([links, total]).toEqual([[{ ...link, figures }], { count: 1, exact: true }]);
  });

  it('names the person who made it', async () => {
    const people = peopleOf(system);
    const owner = await people.setUp();
    const made = await owner.send(
      post('/api/manage/apps', { teamId: owner.teamId, name: 'Of a person', subdomain: 'of-a-person' }),
    );
    const path = `/api/manage/apps/${made.json.app.id}/links`;
    const { json } = await owner.send(post(path, { destination: '/a' }));
    const name = (await owner.send({ path: '/api/manage/me' })).json.person.name;
    expect(json.link.createdBy).toEqual({ kind: 'person', userId: owner.id, name });
    const mine = await owner.send({ path: `${path}?createdBy=${owner.id}` });
    expect(mine.json.links).toMatchObject([json.link]);
    expect((await owner.send({ path: `${path}?origin=keys` })).json.links).toEqual([]);
  });

  it('is edited in each field, and back', async () => {
    const { id } = (await make({})).json.link;
    const edited = await calls.edit(id, { ...fields, tags: ['x'] });
    expect(edited.json.link).toMatchObject({ ...fields, tags: ['x'], version: 2 });
    expect((await calls.edit(id, none)).json.link).toMatchObject(none);
  });

  it.each([
    [{ slug: 'a' }, 'slug'],
    [{ slug: '-a' }, 'slug'],
    [{ slug: 'a/b' }, 'slug'],
    [{ slug: 'a.b' }, 'slug'],
    [{ slug: 'API' }, 'slug'],
    [{ slug: 'share' }, 'slug'],
    [{ slug: '1763737445000-abc' }, 'slug'],
    [{ slug: 'x'.repeat(65) }, 'slug'],
    [{ slug: 'both', short: true }, 'short'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ note: 'x'.repeat(1_001) }, 'note'],
    [{ tags: ['a,b'] }, 'tags.0'],
    [{ tags: ['x'.repeat(51)] }, 'tags.0'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
    [{ webUrl: 'http://shop.example' }, 'webUrl'],
    [{ webUrl: 'javascript:alert(1)' }, 'webUrl'],
    [{ expiredUrl: `https://shop.example/${'x'.repeat(2_048)}` }, 'expiredUrl'],
  ])('is not made of %j', async (body, path) => {
    const answer = await make(body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });

  it('has no page on a host of its own app', async () => {
    const { link } = (await make({})).json;
    const { host } = new URL(link.url);
    for (const url of [`https://${host}/x`, `https://open-${host}/x`]) {
      expectError(await make({ iosUrl: url }), 400, 'INVALID_REQUEST');
      const edited = await system.manage(patch(`/api/manage/links/${link.id}`, { webUrl: url }));
      expect(edited.json.details[0].path).toBe('webUrl');
    }
  });
});

describe('a slug', () => {
  it('that many want at once belongs to one, and the others get free ones', async () => {
    const path = `/api/manage/apps/${app.app.id}/usage`;
    const before = (await system.manage({ path })).json.linksCreated;
    const answers = await Promise.all(Array.from({ length: 50 }, () => make({ slug: 'wanted' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    expectError(refused[0]!, 409, 'SLUG_TAKEN');
    expect(refused[0]!.json).toMatchObject({
      suggestions: ['wanted-2', 'wanted-3', 'wanted-4'],
      details: [{ path: 'slug' }],
    });
    expect((await system.manage({ path })).json.linksCreated).toBe(before + 1);
  });

  once.it('of seven characters is made when it is asked for', async () => {
    const { link } = (await make({ short: true })).json;
    expect(link.slug).toMatch(/^[2-9a-hjkmnp-z]{7}$/);
    expect((await calls.resolve({ slug: link.slug, appId: app.app.id })).json.link.id).toBe(link.id);
  });

  once.it('is found whatever its case, by a tap and by an app', async () => {
    const { link } = (await make({ slug: 'case', webUrl: 'https://shop.example/case' })).json;
    const tapped = await calls.tap(link.url.replace('case', 'CaSe'), { userAgent: DESKTOP });
    expect(tapped.headers.location).toBe('https://shop.example/case');
    const { json } = await calls.resolve({ slug: 'CASE', appId: app.app.id });
    expect(json.link).toMatchObject({ id: link.id, slug: 'case' });
    await calls.edit(link.id, { webUrl: 'https://shop.example/other' });
    const again = await calls.tap(link.url.replace('case', 'CaSe'), { userAgent: DESKTOP });
    expect(again.headers.location).toBe('https://shop.example/other');
  });

  once.it('is never one that the body of create-sdk names', async () => {
    const { json } = await calls.create(app, { destination: '/a', slug: 'mine', short: true, name: 'x' });
    expect(json.link.slug).toMatch(/^\d{13}-/);
    expect(Object.keys(json.link)).toEqual(['id', 'slug', 'url', 'destination', 'metadata']);
  });

  once.it('is chosen by a server in create-bulk, row by row', async () => {
    await make({ slug: 'taken' });
    const server = await system.manage(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
    const links = [{ slug: 'Bulk' }, { slug: 'taken' }, { short: true }, { slug: 'a b' }, { slug: null }];
    const { json } = await system.sdk(
      { ...app, key: server.json.plaintext },
      post('/api/links/create-bulk', { links: links.map((row) => ({ destination: '/a', ...row })) }),
    );
    expect(json).toMatchObject({ created: 3, failed: 2 });
    const [own, taken, short, wrong] = json.outcomes;
    expect([own.link.slug, short.link.slug.length]).toEqual(['bulk', 7]);
    expect(taken).toMatchObject({ code: 'SLUG_TAKEN', suggestions: ['taken-2', 'taken-3', 'taken-4'] });
    expect(wrong).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'slug' }] });
  });

  it('cannot be guessed by somebody who tries many', async () => {
    const { link } = (await make({ slug: 'hidden' })).json;
    const [ip, other] = [freshIp(), freshIp()];
    const host = new URL(link.url).origin;
    const statusOf = async (slug: string, from: string) =>
      (await system.tap(`${host}/${slug}`, { ip: from, userAgent: DESKTOP })).status;
    for (let n = 0; n < 60; n++) expect(await statusOf(`guess-${n}`, ip)).toBe(404);
    expect(await statusOf('hidden', ip)).not.toBe(404);
    // Each of several gateways learns of the limit at its next miss.
    for (let n = 60; n < 68; n++) expect(await statusOf(`guess-${n}`, ip)).toBe(404);
    expect(await statusOf('hidden', ip)).toBe(404);
    expect(await statusOf('hidden', other)).not.toBe(404);
    const made = await system.makeLink(app);
    expect((await system.tap(made.url, { ip, userAgent: DESKTOP })).status).not.toBe(404);
    system.clock.advance({ minutes: 2 });
    expect(await statusOf('hidden', ip)).not.toBe(404);
  });
});

describe('the own pages of a link', () => {
  it('open on a tap, as "Try a link" says', async () => {
    const { link } = (await make({ ...fields, destination: '/p?utm_source=mail' })).json;
    for (const [device, userAgent, location] of [
      ['windows-chrome', DESKTOP, 'https://shop.example/spring?utm_source=mail'],
      ['iphone-safari', IPHONE, fields.iosUrl],
    ] as const) {
      const tapped = await calls.tap(link.url, { userAgent, ip: freshIp() });
      expect(tapped.headers.location).toBe(location);
      const explained = await system.manage({ path: `/api/manage/links/${link.id}/explain?device=${device}` });
      expect(explained.json.answer.url).toBe(location);
      expect(JSON.stringify(explained.json.steps)).toContain(`${fields.iosUrl} instead of the App Store`);
    }
    await calls.edit(link.id, { expiresAt: '2020-01-01T00:00:00Z' });
    expect((await calls.tap(link.url, { userAgent: IPHONE })).headers.location).toBe(fields.expiredUrl);
  });

  once.it('and its name and note are not in what an app gets', async () => {
    const { link } = (await make({ ...fields, tags: ['secret-tag'] })).json;
    const { json, text } = await calls.resolve({ slug: link.slug, appId: app.app.id });
    expect(Object.keys(json.link)).toEqual([
      ...['id', 'slug', 'destination_web_url', 'destination_path', 'destination', 'metadata', 'parameters'],
    ]);
    for (const hidden of [fields.name, fields.note, fields.webUrl, 'secret-tag']) expect(text).not.toContain(hidden);
  });
});
