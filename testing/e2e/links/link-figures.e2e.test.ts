// The list of links with its figures, and what happened to one link.
import { connect } from '@landfall/db';
import { freshIp, IPHONE, peopleOf } from '@landfall/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, newDevice, post, systemOfFile } from '../calls.ts';
import { DESKTOP } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ android: { package: 'com.example.shop' } });
const path = `/api/manage/apps/${app.app.id}/links`;

type Link = { id: string; figures: { clicks: number; installs: number; lastTapAt: string | null } | null };
const list = async (query = '') => (await system.manage({ path: `${path}?${query}` })).json;
const idsOf = ({ links }: { links: Link[] }) => links.map(({ id }) => id);

/** Returns the ids of all pages. */
async function walked(query: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = null;
  do {
    const page: { links: Link[]; next: string | null } = await list(`${query}${next ? `&cursor=${next}` : ''}`);
    ids.push(...idsOf(page));
    next = page.next;
  } while (next !== null);
  return ids;
}

async function made(destination: string) {
  const { json } = await system.manage(post(path, { destination, name: `of ${destination}`, tags: ['sale'] }));
  return json.link as { id: string; url: string };
}

const none = await made('/none');
const few = await made('/few');
const many = await made('/many');
const other = await system.makeLink(app, '/key');
const device = newDevice();

beforeAll(async () => {
  await calls.tap(few.url, { ip: device.ip });
  for (let n = 0; n < 3; n++) await calls.tap(many.url, { ip: freshIp(), userAgent: n === 0 ? DESKTOP : IPHONE });
  await calls.tap(other.url, { ip: freshIp() });
  await calls.heartbeat(app, device.body, { ip: device.ip });
  expect((await calls.restore(app, device.body, { ip: device.ip })).json.count).toBe(1);
  await system.settled();
});

describe('the list of links', () => {
  it('has the figures of each link, which equal the taps that were made', async () => {
    const { links, figures } = await list();
    expect(figures).toBe('ok');
    const numbers = links.map(({ id, figures: of }: Link) => [id, of!.clicks, of!.installs, of!.lastTapAt !== null]);
    expect(numbers).toEqual([
      [other.id, 1, 0, true],
      [many.id, 3, 0, true],
      [few.id, 1, 1, true],
      [none.id, 0, 0, false],
    ]);
    const [, { figures: last }] = links as [Link, Link];
    const { taps } = (await system.manage({ path: `/api/manage/links/${many.id}/taps` })).json;
    expect(last!.lastTapAt).toBe(taps[0].at);
  });

  it('is sorted by taps and by installs, page by page, and links with none come last, newest first', async () => {
    const byTaps = idsOf(await list('sort=clicks'));
    expect(byTaps[0]).toBe(many.id);
    expect(new Set(byTaps.slice(1, 3))).toEqual(new Set([few.id, other.id]));
    expect(byTaps.slice(3)).toEqual([none.id]);
    for (const limit of [1, 2, 3]) expect(await walked(`sort=clicks&limit=${limit}`)).toEqual(byTaps);
    expect(await walked('sort=installs&range=7d&limit=2')).toEqual([few.id, other.id, many.id, none.id]);
    expect((await list('sort=clicks&limit=1')).total).toEqual({ count: 4, exact: true });
  });

  it('is sorted by the rate of links with enough taps alone: one install of one tap does not lead', async () => {
    expect(await walked('sort=rate&limit=2')).toEqual([other.id, many.id, few.id, none.id]);
  });

  it('is exported with its days and its order', async () => {
    const { text } = await system.manage({ path: `${path}/export?sort=installs&range=7d&tag=sale` });
    const [heading, ...rows] = text.trim().split('\r\n');
    expect(heading).toMatch(/,clicks7d,installs7d,lastTapAt$/);
    expect(rows.map((row) => [few, many, none].find(({ id }) => row.includes(id))?.id)).toEqual([
      few.id,
      many.id,
      none.id,
    ]);
    expect(rows[0]).toMatch(/,1,1,[^,]*$/);
  });

  it('is sorted within a filter', async () => {
    const found = await list('sort=clicks&tag=sale');
    expect(idsOf(found)).toEqual([many.id, few.id, none.id]);
    expect(found.total).toEqual({ count: 3, exact: true });
    expect(await walked('sort=clicks&search=of&limit=1')).toEqual([many.id, few.id, none.id]);
  });

  it('refuses a cursor of another list, and one that is none', async () => {
    const { next } = await list('sort=clicks&limit=1');
    for (const query of [`sort=installs&cursor=${next}`, `sort=clicks&range=90d&cursor=${next}`, `cursor=${next}`]) {
      const answer = await system.manage({ path: `${path}?${query}` });
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.details[0].path).toBe('cursor');
    }
    for (const cursor of ['x', 'clicks.30d.1.x', `clicks.30d.1.${'a'.repeat(36)}`, 'clicks.30d.none.x'])
      expectError(await system.manage({ path: `${path}?sort=clicks&cursor=${cursor}` }), 400, 'INVALID_REQUEST');
    expectError(await system.manage({ path: `${path}?sort=taps` }), 400, 'INVALID_REQUEST');
  });

  it('comes without figures, newest first, while analytics does not answer', async () => {
    const locked = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const database = connect({ url: system.databaseUrl, max: 1 });
    const lock = database.transaction(async (tx) => {
      await tx.rows('lock table analytics.link_totals in access exclusive mode');
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    const byDate = [other.id, many.id, few.id, none.id];
    const began = performance.now();
    const plain = await list();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect([plain.figures, idsOf(plain), plain.links[0].figures]).toEqual(['unavailable', byDate, null]);
    const sorted = await list('sort=clicks&limit=3');
    expect([sorted.figures, idsOf(sorted)]).toEqual(['unavailable', byDate.slice(0, 3)]);
    done.resolve();
    await lock;
    await database.close();
    const rest = await list(`sort=clicks&limit=3&cursor=${sorted.next}`);
    expect([rest.figures, idsOf(rest)]).toEqual(['ok', byDate.slice(3)]);
  }, 20_000);
});

describe('the page of a link', () => {
  it('lists its taps, newest first, with what was answered and what became of each', async () => {
    const get = (query: string) => system.manage({ path: `/api/manage/links/${many.id}/taps?${query}` });
    const { taps, next } = (await get('limit=2')).json;
    expect(taps).toMatchObject([
      { platform: 'ios', os: 'iOS', outcome: { state: 'pending', restoreId: null } },
      { platform: 'ios', outcome: { state: 'pending' } },
    ]);
    const rest = (await get(`limit=2&cursor=${next}`)).json;
    expect(rest.taps).toMatchObject([{ platform: 'desktop', answered: 'page', outcome: { state: 'none' } }]);
    expect(rest.next).toBeNull();
    expectError(await get('cursor=x'), 400, 'INVALID_REQUEST');
  });

  it('says which device got the link of a tap, and lists the install', async () => {
    const [tap] = (await system.manage({ path: `/api/manage/links/${few.id}/taps` })).json.taps;
    expect(tap).toMatchObject({ platform: 'android', answered: 'store', outcome: { state: 'given' } });
    expect(tap.outcome.why).toMatch(/address/);
    const [install] = (await system.manage({ path: `/api/manage/links/${few.id}/installs` })).json.installs;
    const { restoreId, deviceId } = tap.outcome;
    expect(install).toMatchObject({ tapId: tap.tapId, via: 'address', sure: false, restoreId, deviceId });
    const timeline = await system.manage({ path: `/api/manage/apps/${app.app.id}/devices/${deviceId}/timeline` });
    expect(timeline.json.restores[0].id).toBe(restoreId);
  });

  it('has the openings by an installed app', async () => {
    const link = await made('/opened');
    const slug = link.url.split('/').at(-1)!;
    const resolved = await system.sdk(app, { path: `/api/links/get-by-slug?slug=${slug}&appId=${app.app.id}` });
    expect(resolved.status, resolved.text).toBe(200);
    await system.settled();
    const { taps } = (await system.manage({ path: `/api/manage/links/${link.id}/taps` })).json;
    expect(taps).toMatchObject([{ answered: 'app', outcome: { state: 'opened' } }]);
    expect((await system.manage({ path: `/api/manage/links/${link.id}/installs` })).json).toMatchObject({
      installs: [],
      next: null,
    });
  });

  it('is for viewers of the app, and not there for others', async () => {
    const people = peopleOf(system);
    const owner = await people.setUp();
    const teamId = await people.makeTeam(owner);
    const own = await owner.send(post('/api/manage/apps', { teamId, name: 'Own', subdomain: 'own' }));
    const made = await owner.send(post(`/api/manage/apps/${own.json.app.id}/links`, { destination: '/a' }));
    const viewer = await people.join(owner, teamId, 'viewer');
    const ofOwn = [
      `/api/manage/apps/${own.json.app.id}/links?sort=clicks`,
      ...['taps', 'installs'].map((what) => `/api/manage/links/${made.json.link.id}/${what}`),
    ];
    for (const path of ofOwn) expect((await viewer.send({ path })).status, path).toBe(200);
    const ofOther = [`${path}?sort=clicks`, `/api/manage/links/${few.id}/taps`, `/api/manage/links/${few.id}/installs`];
    for (const path of ofOther) expect((await viewer.send({ path })).status, path).toBe(404);
  });
});
