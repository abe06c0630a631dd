// What people do with many links: tags, bulk edits, templates of campaign values, files.
// Over Kafka: bulk edits and the figures of campaign values wait for events.
import { randomUUID } from 'node:crypto';
import type { TestApp } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { del, expectError, patch, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
let app: TestApp;
let appPath: string;
beforeEach(async () => {
  app = await system.makeApp();
  appPath = `/api/manage/apps/${app.app.id}`;
});

const make = async (body: object) =>
  (await system.manage(post(`${appPath}/links`, { destination: '/a', ...body }))).json.link;
const editAll = (body: object) => calls.change(post(`${appPath}/links/edit-bulk`, body));
const get = async (path: string) => (await system.manage({ path: `${appPath}${path}` })).json;

describe('a bulk edit', () => {
  it('changes each link by itself, and says what became of it', async () => {
    const one = await make({ destination: '/a?x=1&utm_source=old#f', tags: ['a', 'b'] });
    const two = await make({ tags: ['c'] });
    const foreign = await system.makeLink(await system.makeApp());
    const unknown = randomUUID();
    const ids = [one.id, unknown, two.id, foreign.id, one.id];
    const utm = { source: 'new mail', campaign: '', medium: null };
    const { json } = await editAll({ ids, addTags: ['C', 'd'], removeTags: ['b'], utm, archived: true });
    expect(json).toMatchObject({ changed: 2, failed: 2 });
    expect(json.outcomes.map(({ id, success }: { id: string; success: boolean }) => [id, success])).toEqual([
      [one.id, true],
      [unknown, false],
      [two.id, true],
      [foreign.id, false],
    ]);
    expect(json.outcomes[0].link).toMatchObject({
      destination: '/a?x=1&utm_source=new%20mail#f',
      tags: ['a', 'c', 'd'],
      archivedAt: expect.any(String),
      version: 2,
    });
    expect(json.outcomes[1]).toMatchObject({ code: 'LINK_NOT_FOUND' });
    // Nothing is left to change, so nothing is written.
    const again = await editAll({ ids: [one.id], addTags: ['a'], archived: true });
    expect(again.json.outcomes[0].link).toEqual(json.outcomes[0].link);
    expect(await get('/tags')).toMatchObject({
      tags: [
        { tag: 'a', links: 1 },
        { tag: 'c', links: 2 },
        { tag: 'd', links: 2 },
      ],
    });
    const { entries } = (await system.manage({ path: `/api/manage/links/${one.id}/history` })).json;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['EditLink', 'CreateLink']);
  });

  it('changes all links that a filter finds, if they are as many as expected', async () => {
    const filter = { tag: 'spring' };
    const links = [await make({ tags: ['spring'] }), await make({ tags: ['Spring', 'x'] })];
    await make({ tags: ['summer'] });
    const changed = await editAll({ filter, expectedCount: 3, addTags: ['y'] });
    expectError(changed, 409, 'COUNT_CHANGED');
    expect(changed.json).toMatchObject({ count: 2, expectedCount: 3 });
    const { json } = await editAll({
      filter,
      expectedCount: 2,
      removeTags: ['spring'],
      expiresAt: '2099-01-01T00:00:00Z',
    });
    expect(json).toMatchObject({ changed: 2, failed: 0 });
    expect(json.outcomes.map(({ id }: { id: string }) => id)).toEqual(links.reverse().map(({ id }) => id));
    expect((await get('/links?tag=spring')).links).toEqual([]);
  });

  it.each([
    [{ addTags: ['a'] }, 'ids'],
    [{ ids: [randomUUID()] }, 'body'],
    [{ ids: [], archived: true }, 'ids'],
    [{ filter: {}, archived: true }, 'expectedCount'],
    [{ filter: {}, ids: [randomUUID()], expectedCount: 1, archived: true }, 'ids'],
    [{ ids: [randomUUID()], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ ids: [randomUUID()], utm: { sauce: 'x' } }, 'utm.sauce'],
  ])('is refused for %j', async (body, path) => {
    const answer = await editAll(body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });
});

describe('templates of campaign values', () => {
  const path = () => `${appPath}/utm-templates`;

  it('are made, changed, listed by name and removed', async () => {
    const utm = { source: ' newsletter ', medium: 'email', campaign: null, term: '' };
    const made = await system.manage(post(path(), { name: 'News', utm }));
    const { template } = made.json;
    expect(template).toMatchObject({ name: 'News', utm: { source: 'newsletter', medium: 'email' } });
    await system.manage(post(path(), { name: 'Ads', utm: { source: 'ads' } }));
    const changed = await system.manage(patch(`${path()}/${template.id}`, { utm: { source: 'mail' } }));
    expect(changed.json.template).toEqual({ ...template, utm: { source: 'mail' } });
    const { templates } = await get('/utm-templates');
    expect(templates.map(({ name }: { name: string }) => name)).toEqual(['Ads', 'News']);
    expect((await system.manage(del(`${path()}/${template.id}`))).status).toBe(200);
    expectError(await system.manage(del(`${path()}/${template.id}`)), 404, 'UTM_TEMPLATE_NOT_FOUND');
    expect((await get('/utm-templates')).templates).toHaveLength(1);
  });

  it('belong to their app, and set something', async () => {
    const { template } = (await system.manage(post(path(), { name: 'News', utm: { source: 'a' } }))).json;
    const other = await system.makeApp();
    const foreign = `/api/manage/apps/${other.app.id}/utm-templates/${template.id}`;
    expectError(await system.manage(patch(foreign, { name: 'x' })), 404, 'UTM_TEMPLATE_NOT_FOUND');
    expectError(await system.manage(post(path(), { name: 'x', utm: { source: ' ' } })), 400, 'INVALID_REQUEST');
  });

  it('and the values of taps and links are what people choose from', async () => {
    const { url } = await make({ destination: '/a?utm_source=mail&utm_campaign=spring' });
    await calls.tap(url);
    for (const query of [
      'utm_campaign=Spring',
      'x=1&utm_campaign=Summer%20Sale',
      'x=2&utm_campaign=Summer%20Sale',
      'utm_campaign=summer+sale',
      'utm_term=#&utm_term=x',
    ])
      await make({ destination: `/a?${query}` });
    await system.settled();
    expect((await get('/utm-values')).values).toEqual({
      source: [{ value: 'mail', clicks: 1 }],
      campaign: [
        { value: 'spring', clicks: 1 },
        { value: 'Summer Sale', clicks: 0 },
      ],
      ...{ medium: [], term: [], content: [] },
    });
  });
});

describe('a file of links', () => {
  const importLinks = (body: object) => system.manage(post(`${appPath}/links/import`, body));
  const row = {
    destination: '/a?x=1',
    ...{ name: 'Poster', note: 'In the lobby.', tags: 'Spring, poster', slug: 'Poster-A' },
    ...{ webUrl: 'https://shop.example/a', expiredUrl: 'https://shop.example/over' },
    ...{ utm_source: 'poster', utm_campaign: 'spring', idempotencyKey: 'row-1' },
  };

  it('has the fields of people, and its slugs keep their capitals', async () => {
    const { outcomes } = (await importLinks({ links: [row] })).json;
    expect(outcomes[0].link).toMatchObject({
      destination: '/a?x=1&utm_source=poster&utm_campaign=spring',
      ...{ name: 'Poster', note: 'In the lobby.', tags: ['spring', 'poster'], slug: 'Poster-A' },
      ...{ webUrl: 'https://shop.example/a', expiredUrl: 'https://shop.example/over', version: 1 },
    });
    const [outcome] = outcomes;
    expect((await importLinks({ links: [row] })).json.outcomes).toEqual([{ ...outcome, existed: true }]);
  });

  it('is checked row by row in a dry run, also for its slugs', async () => {
    await importLinks({ links: [row] });
    const links = [
      row,
      { ...row, idempotencyKey: 'row-2' },
      { destination: '/b', slug: 'twice' },
      { destination: '/b', slug: 'twice' },
      { destination: '/b', slug: 'api' },
      { destination: '/b', slug: '1763737445000-abcdefghijklmn' },
      { destination: '/b', webUrl: 'http://x.example' },
      {
        destination: '/b',
        webUrl: `https://${app.app.subdomain}.${new URL((await make({})).url).host.split('.').slice(1).join('.')}/x`,
      },
    ];
    const { outcomes } = (await importLinks({ dryRun: true, links })).json;
    expect(
      outcomes.map(({ code, details, warning }: { code?: string; details?: { path: string }[]; warning?: string }) =>
        [code ?? 'fine', details?.[0]?.path ?? warning].filter(Boolean).join(': '),
      ),
    ).toEqual([
      'fine',
      'SLUG_TAKEN: slug',
      'fine',
      'SLUG_TAKEN: slug',
      'INVALID_REQUEST: slug',
      'fine: the slug is one that Landfall makes: the link gets a new one',
      'INVALID_REQUEST: webUrl',
      'INVALID_REQUEST: webUrl',
    ]);
  });

  it('that was exported comes back equal in another app', async () => {
    await importLinks({ links: [row, { destination: '/plain', metadata: { a: 1 }, archived: true }] });
    const names = 'destination metadata expiresAt slug name note tags webUrl iosUrl androidUrl expiredUrl'.split(' ');
    const rowsOf = async () => {
      const { text } = await system.manage({ path: `${appPath}/links/export` });
      const [head, ...lines] = text.replace('\ufeff', '').trim().split('\r\n').map(cellsOf);
      return lines.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i]!])));
    };
    const exported = await rowsOf();
    app = await system.makeApp();
    appPath = `/api/manage/apps/${app.app.id}`;
    const links = exported.map((cells) => ({
      ...Object.fromEntries(names.filter((name) => cells[name] !== '').map((name) => [name, cells[name]])),
      metadata: JSON.parse(cells.metadata!),
      archived: cells.archivedAt !== '',
    }));
    expect((await importLinks({ links: links.reverse() })).json).toMatchObject({ created: 2, failed: 0 });
    const kept = (rows: Record<string, string>[]) =>
      rows.map((cells) =>
        names.filter((name) => name !== 'slug' || cells.slug === 'Poster-A').map((name) => cells[name]),
      );
    // Links of one moment have no order.
    const sorted = (rows: Record<string, string>[]) =>
      kept(rows).sort((one, other) => (`${one}` < `${other}` ? -1 : 1));
    expect(sorted(await rowsOf())).toEqual(sorted(exported));
  });
});

/** Reads a line of CSV without line breaks in its cells. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
