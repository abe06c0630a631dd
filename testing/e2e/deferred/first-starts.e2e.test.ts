// The first start of each install has a row in the list of restores, whatever it found.
import { ANDROID, freshIp, type TestApp } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { newDevice, systemOfFile } from '../calls.ts';

let app: TestApp;
const { system, calls } = await systemOfFile();
beforeEach(async () => {
  app = await system.makeApp();
});

const list = async (query: Record<string, string> = {}) =>
  system.manage({ path: `/api/manage/apps/${app.app.id}/restores?${new URLSearchParams(query)}` });
const listed = async (query: Record<string, string> = {}) => (await list(query)).json.restores;
const timelinePath = (device: string) => `/api/manage/apps/${app.app.id}/devices/${device}/timeline`;
const idsOf = async (query: Record<string, string>) => (await listed(query)).map(({ id }: { id: string }) => id);

it('says of a start in another network which tap was near, what was sent, and what would have found it', async () => {
  const link = await system.makeLink(app, '/sale');
  const [home, mobile] = [freshIp(), freshIp()];
  await calls.tap(link.url, { ip: home });
  system.clock.advance({ seconds: 4 });
  const headers = { 'x-landfall-client': 'landfall-android/0.1.0' };
  const phone = { ...newDevice().body, platform: 'android', model: 'Pixel 9', installedSecondsAgo: 2 };
  await calls.heartbeat(app, phone, { ip: mobile, headers });
  expect((await calls.restore(app, phone, { ip: mobile, headers })).json.count).toBe(0);
  // A later start of the same install.
  system.clock.advance({ days: 1 });
  await calls.restore(app, { ...phone, installedSecondsAgo: 86_402 }, { ip: freshIp(), headers });

  const { json } = await list();
  expect(json.restores).toHaveLength(1);
  const [start] = json.restores;
  expect(start).toMatchObject({
    outcome: 'untapped',
    matchType: null,
    considered: [],
    platform: 'android',
    client: 'landfall-android/0.1.0',
    hasAddress: true,
    sent: { installedSecondsAgo: true, model: true, installReferrer: false, clipboard: false },
    near: [{ linkId: link.id, platform: 'android', here: false, closed: false }],
    advice: {
      ...{ code: 'installReferrer', line: expect.stringContaining('installreferrer:'), page: 'clients/kotlin' },
      place: 'the dependencies of app/build.gradle.kts',
    },
  });
  const apart = Date.parse(start.at) - Date.parse(start.near[0].tappedAt);
  expect(Math.round(apart / 1_000)).toBe(4);
  expect(json.links).toEqual([{ id: link.id, slug: link.slug, name: null, destination: '/sale', url: link.url }]);
  expect(json.keys).toEqual([{ id: start.keyId, label: expect.any(String), hint: expect.any(String) }]);
  // It tells of another person that they tapped, and nothing of them.
  for (const personal of [home, mobile, ANDROID, phone.deviceFingerprint, 'Pixel'])
    expect(JSON.stringify(json)).not.toContain(personal);
});

it('is found by the device, its user and the link', async () => {
  const link = await system.makeLink(app);
  const ip = freshIp();
  const [ann, ben, cem] = [newDevice().body, newDevice().body, newDevice().body];
  await calls.restore(app, { ...ann, userEmail: 'Ann@example.com', platform: 'ios' }, { ip: freshIp() });
  await calls.restore(app, { ...ben, userEmail: 'user-7' }, { ip: freshIp() });
  await calls.tap(link.url, { ip });
  await calls.restore(app, { ...cem, platform: 'ios' }, { ip });
  const [third, second, first] = await idsOf({});
  const [{ device }] = (await listed()).slice(-1);
  const searches = [
    [ann.deviceFingerprint, [first]],
    [device, [first]],
    [' ann@Example.com', [first]],
    ['user-7', [second]],
    [link.url, [third]],
    [link.slug, [third]],
    [link.id, [third]],
    ['nobody', []],
  ] as const;
  for (const [search, found] of searches) expect(await idsOf({ search }), search).toEqual(found);
  expect(await idsOf({ platform: 'ios' })).toEqual([third, first]);
  expect(await idsOf({ state: 'refused' })).toEqual([third]);
  expect(await idsOf({ state: 'nothing', platform: 'ios' })).toEqual([first]);
  expect(await idsOf({ linkId: link.id })).toEqual([third]);
  expect(await idsOf({ limit: '1', search: 'user-7' })).toEqual([second]);
  const { restores } = (await list({ search: cem.deviceFingerprint })).json;
  expect(restores).toMatchObject([{ outcome: 'refused', advice: { code: 'clipboard' } }]);
  const { entries } = (await system.manage({ path: timelinePath(restores[0].device) })).json;
  expect(entries.at(-1)).toMatchObject({ kind: 'considered', linkId: restores[0].considered[0].linkId });
});

it('has a timeline of its device: tap, install, restore, and the pushes to its user', async () => {
  const link = await system.makeLink(app, '/sale');
  const ip = freshIp();
  await calls.tap(link.url, { ip });
  system.clock.advance({ seconds: 4 });
  const phone = { ...newDevice().body, platform: 'android' };
  const userEmail = 'ann@example.com';
  await calls.heartbeat(app, phone, { ip });
  await calls.restore(app, { ...phone, userEmail }, { ip });
  system.clock.advance({ minutes: 1 });
  const deviceToken = `fcm-token-of-ann:${Date.now()}`;
  await calls.register(app, { deviceToken, platform: 'android', userEmail });
  await system.settled();
  const [{ device }] = await listed();
  const timelineOf = async (id: string) => (await system.manage({ path: timelinePath(id) })).json;

  const { install, entries, restores, links } = await timelineOf(device);
  expect(install).toMatchObject({ platform: 'android', returnedAt: null, isShared: false });
  expect(entries.map((one: { kind: string; event?: { kind: string } }) => one.event?.kind ?? one.kind)).toEqual([
    'registered',
    'restore',
    'installed',
    'tap',
  ]);
  expect(entries.at(-1).linkId).toBe(link.id);
  expect([restores, links]).toMatchObject([[{ device, matchType: 'address' }], [{ id: link.id }]]);
  // The device for push has the starts of its user.
  const ofPush = await timelineOf(entries[0].deviceId);
  expect(ofPush).toMatchObject({ install: null, restores: [{ device }] });
  expect(ofPush.entries.map(({ kind }: { kind: string }) => kind)).toEqual(['push', 'restore', 'tap']);

  for (const [id, status] of [
    ['A'.repeat(43), 404],
    ['7c0ffee0-0b5e-4f1a-9c2d-8e7f6a5b4c3d', 404],
    ['7', 400],
  ] as const) {
    const answer = await system.manage({ path: timelinePath(id) });
    expect(answer.status, id).toBe(status);
  }
});

it.each(['state=all', 'platform=web', 'linkId=7', 'keyId=7', 'from=yesterday', 'before=1', 'search=%20'])(
  'refuses %s, and names it',
  async (query) => {
    const { status, json } = await system.manage({ path: `/api/manage/apps/${app.app.id}/restores?${query}` });
    expect([status, json.details[0].path]).toEqual([400, query.split('=')[0]]);
  },
);
