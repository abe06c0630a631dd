// The figures of an app, as members see them over the API.
import { freshIp, IPHONE } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ android: { package: 'com.example.shop' } });
const link = await system.makeLink(app, '/a', { inviter: 'ann' });
for (let i = 0; i < 3; i++) await calls.tap(link.url, { ip: freshIp() });
await calls.tap(link.url, { ip: freshIp(), userAgent: IPHONE });
await system.settled();

const figures = (query = '', path = '') =>
  system.manage({ path: `/api/manage/apps/${app.app.id}/analytics${path}?${query}` });

describe('figures', () => {
  it('count clicks by day, with the bounds of the days', async () => {
    const { status, json } = await figures('metric=clicks');
    expect(status).toBe(200);
    expect(json).toMatchObject({ metric: 'clicks', interval: 'day', timeZone: 'UTC', total: 4, source: 'counts' });
    expect(json.buckets).toHaveLength(30);
    expect(json.values).toHaveLength(30);
    expect(json.values.at(-1)).toBe(4);
    json.buckets.forEach(({ from }: { from: string }, i: number) => {
      if (i > 0) expect(from).toBe(json.buckets[i - 1].to);
      expect(from).toMatch(/T00:00:00\.000Z$/);
    });
    expect(json.groups).toBeNull();
  });

  it('split by a dimension, and name links by their destinations', async () => {
    const byPlatform = (await figures('metric=clicks&groupBy=platform')).json;
    expect(byPlatform.groups.map((g: { value: string; total: number }) => [g.value, g.total])).toEqual([
      ['android', 3],
      ['ios', 1],
    ]);
    const byLink = (await figures('metric=clicks&groupBy=link')).json;
    expect(byLink.groups).toMatchObject([{ value: link.id, name: '/a', total: 4 }]);
  });

  it('filter by several values and dimensions', async () => {
    const total = async (query: string) => (await figures(`metric=clicks&${query}`)).json.total;
    expect(await total('filter=platform:android')).toBe(3);
    expect(await total('filter=platform:android&filter=platform:ios')).toBe(4);
    expect(await total(`filter=platform:ios&filter=link:${link.id}`)).toBe(1);
    expect(await total('filter=platform:ios&filter=link:none')).toBe(0);
    expect(await total('filter=referrer:')).toBe(4);
  });

  it('count each visitor once a day', async () => {
    const ip = freshIp();
    for (let i = 0; i < 3; i++) await calls.tap(link.url, { ip });
    await system.settled();
    const today = new Date(system.clock()).toISOString().slice(0, 10);
    const clicks = (await figures(`metric=clicks&from=${today}&to=${today}`)).json.total;
    const visitors = (await figures(`metric=visitors&from=${today}&to=${today}`)).json.total;
    expect([clicks, visitors]).toEqual([7, 5]);
  });

  it('say what an install came from', async () => {
    const device = newDevice();
    await calls.tap(link.url, { ip: device.ip });
    await calls.heartbeat(app, device.body, { ip: device.ip });
    const restored = await calls.restore(app, device.body, { ip: device.ip });
    expect(restored.json.count).toBe(1);
    await system.settled();
    const total = async (metric: string) => (await figures(`metric=${metric}&filter=link:${link.id}`)).json.total;
    expect(await Promise.all(['restores', 'attributedInstalls'].map(total))).toEqual([1, 1]);
    const funnel = (await figures('groupBy=link', '/funnel')).json;
    const [group] = funnel.groups;
    expect(group).toMatchObject({ value: link.id, name: '/a' });
    const counts = Object.fromEntries(group.steps.map((s: { step: string; count: number }) => [s.step, s.count]));
    expect(counts).toMatchObject({ installs: 1, restores: 1 });
    expect(counts.clicks).toBeGreaterThanOrEqual(5);
    const restores = group.steps.find((s: { step: string }) => s.step === 'restores');
    expect(restores.sinceClick.median).toBeGreaterThanOrEqual(0);
    const cohorts = (await figures('', '/cohorts')).json.cohorts;
    expect(cohorts).toHaveLength(30);
    expect(cohorts.at(-1)).toMatchObject({ installs: 1 });
  });

  it('lead to their rows, and these to the link, the device and the restore', async () => {
    const rows = async (query: string) => (await figures(query, '/events')).json;
    for (const filter of ['', '&filter=platform:android', `&filter=platform:ios&filter=link:${link.id}`]) {
      const { total } = (await figures(`metric=clicks${filter}`)).json;
      const first = await rows(`figure=clicks&limit=2${filter}`);
      const read = [...first.events];
      for (let { next } = first; next !== null; ) {
        const page = await rows(`figure=clicks&limit=2&cursor=${next}${filter}`);
        read.push(...page.events);
        next = page.next;
      }
      expect([filter, first.total, new Set(read.map(({ id }) => id)).size]).toEqual([filter, total, total]);
      expect(read.map(({ at }) => at)).toEqual(
        read
          .map(({ at }) => at)
          .sort()
          .reverse(),
      );
    }
    const [tap] = (await rows('figure=clicks&filter=platform:ios')).events;
    expect(tap).toMatchObject({ link: { id: link.id, name: '/a' }, platform: 'ios', via: 'link', tapId: tap.id });
    const [install] = (await rows('figure=attributedInstalls')).events;
    const [restore] = (await rows('figure=restores')).events;
    expect(restore.deviceId).toMatch(/^[\w-]{43}$/);
    expect(install).toMatchObject({ deviceId: restore.deviceId, tapId: restore.tapId, matchType: 'address' });
    const manage = (path: string) => system.manage({ path: `/api/manage/apps/${app.app.id}/${path}` });
    expect((await manage(`devices/${install.deviceId}/timeline`)).status).toBe(200);
    const before = new Date(Date.parse(restore.at) + 1).toISOString();
    const found = (await manage(`restores?linkId=${link.id}&from=${restore.at}&before=${before}`)).json.restores;
    expect(found).toMatchObject([{ device: restore.deviceId, matchType: 'address' }]);
    for (const [step, n] of [
      ['restores', 1],
      ['installs', 1],
      ['opens', 0],
    ] as const)
      expect([step, (await rows(`figure=funnel.${step}`)).total]).toEqual([step, n]);
  });

  it('have no rows for people of several days, and for a filter that the events do not know', async () => {
    const people = await figures('figure=visitors', '/events');
    expectError(people, 400, 'INVALID_REQUEST');
    expect(people.json.details[0].path).toBe('figure');
    expectError(await figures('figure=opens&filter=browser:Chrome', '/events'), 400, 'DIMENSION_UNKNOWN');
  });

  it('are the same as CSV', async () => {
    const { json } = await figures('metric=clicks&groupBy=platform');
    const csv = await figures('metric=clicks&groupBy=platform', '/export');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [first, last] = [json.from.slice(0, 10), json.buckets.at(-1).from.slice(0, 10)];
    expect(csv.headers['content-disposition']).toBe(
      `attachment; filename="${app.app.subdomain}-clicks-${first}-to-${last}.csv"`,
    );
    const [head, ...lines] = csv.text.trim().split('\r\n');
    expect(head).toBe('from,to,value,name,clicks');
    const sum = lines.reduce((all, line) => all + Number(line.split(',').at(-1)), 0);
    expect(sum).toBe(json.total);
    expect(lines).toHaveLength(2 * json.buckets.length);
    const day = json.buckets.at(-1).from.slice(0, 10);
    expect(lines.at(-1)).toMatch(new RegExp(`^${day},${day},`));
  });

  it.each([
    ['', 'metric'],
    ['metric=likes', 'metric'],
    ['metric=clicks&from=yesterday', 'from'],
    ['metric=clicks&interval=year', 'interval'],
    ['metric=clicks&groupBy=age', 'groupBy'],
    ['metric=clicks&filter=age:7', 'filter.0'],
    [`metric=clicks&filter=country:${'a'.repeat(254)}`, 'filter.0'],
    ['metric=clicks&limit=0', 'limit'],
  ])('are refused for %j, which names %s', async (query, path) => {
    const answer = await figures(query);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });

  it.each([
    ['metric=clicks&from=2026-02-02&to=2026-02-01', 'RANGE_EMPTY'],
    ['metric=clicks&interval=hour&from=2026-01-01&to=2026-06-01', 'RANGE_TOO_LONG'],
    ['metric=installs&groupBy=browser', 'DIMENSION_UNKNOWN'],
  ])('are refused for %j with %s', async (query, code) => {
    expectError(await figures(query), 400, code);
  });

  it('name links that are called the same by their slugs, too', async () => {
    const other = await system.makeLink(app, '/a?utm_source=other');
    await calls.tap(other.url, { ip: freshIp() });
    await system.settled();
    const { groups } = (await figures('metric=clicks&groupBy=link')).json;
    const names = groups.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual([`/a · ${link.slug}`, `/a · ${other.slug}`].sort());
  });

  it('belong to the members of the app', async () => {
    const answer = await system.send({ path: `/api/manage/apps/${app.app.id}/analytics?metric=clicks` });
    expectError(answer, 401, 'NOT_SIGNED_IN');
  });
});
