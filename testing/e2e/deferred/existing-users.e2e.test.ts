// An app that had users before it used Landfall: what its phones get while the update with the client reaches them,
// what the reason of a decision says about it, and what ends this state. Also the time since the install, which a
// client may send.
import { freshIp, IPHONE, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callsOf, expectError, linksOf, newDevice } from '../calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

async function tapped(app: TestApp, ip = freshIp()) {
  const link = await system.makeLink(app);
  await calls.tap(link.url, { ip, userAgent: IPHONE });
  return { link, ip };
}

const restored = async (app: TestApp, ip: string, body: object = {}) =>
  linksOf(await calls.restore(app, { ...newDevice().body, ...body }, { ip }));

describe('a new app that may have had users', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await system.makeApp({ matching: { existingUsers: true } });
  });
  const matching = async () =>
    (await system.manage({ method: 'GET', path: `/api/manage/apps/${app.app.id}/matching` })).json;

  it('gives by address a tap of the last five minutes, with nobody else there', async () => {
    const shared = freshIp();
    await calls.heartbeat(app, newDevice().body, { ip: shared });
    const [soon, late, among] = [await tapped(app), await tapped(app), await tapped(app, shared)];
    system.clock.advance({ minutes: 4 });
    expect(await restored(app, soon.ip)).toEqual([soon.link.id]);
    expect(await restored(app, among.ip)).toEqual([]);
    system.clock.advance({ minutes: 1 });
    expect(await restored(app, late.ip)).toEqual([]);
    // A client that sends the time since the install gets the link.
    expect(await restored(app, late.ip, { installedSecondsAgo: 60 })).toEqual([late.link.id]);
  });

  it('says so in the reason of the decision, with what ends it', async () => {
    const { ip } = await tapped(app);
    system.clock.advance({ minutes: 5 });
    await restored(app, ip);
    const { restores } = (await system.manage({ method: 'GET', path: `/api/manage/apps/${app.app.id}/restores` })).json;
    expect(restores[0].summary).toMatch(/new to Landfall.*installedSecondsAgo.*matching\.existingUsers/);
  });

  it('says so to its members, and until when', async () => {
    const { rollout, devices } = await matching();
    const until = new Date(Date.parse(app.app.createdAt) + 8 * 86_400_000).toISOString();
    expect(rollout).toEqual({ reason: 'young', until });
    expect(devices).toEqual({ seen: 0, firstSeen: 0 });
    await restored(app, freshIp());
    expect((await matching()).devices).toEqual({ seen: 1, firstSeen: 1 });
  });

  it('is matched as any other when its owner says that it had no users', async () => {
    const { link, ip } = await tapped(app);
    system.clock.advance({ minutes: 20 });
    expect(await restored(app, ip)).toEqual([]);
    const changed = await system.manage({
      method: 'PATCH',
      path: `/api/manage/apps/${app.app.id}`,
      body: { matching: { existingUsers: false } },
    });
    expect(changed.json.app.matching.existingUsers).toBe(false);
    await system.settled();
    expect(await restored(app, ip)).toEqual([link.id]);
    expect((await matching()).rollout).toBeNull();
  });
});

describe('an old app with many devices', () => {
  const site = () => Math.floor(Math.random() * 0xffff).toString(16);
  let app: TestApp;
  beforeAll(async () => {
    app = await system.makeApp({ matching: { existingUsers: true } });
    system.clock.advance({ days: 17 });
    const devices = Array.from({ length: 600 }, () => ({ body: newDevice().body, ip: freshIp() }));
    for (let day = 0; day < 3; day++) {
      system.clock.advance({ hours: 25 });
      await Promise.all(devices.map(({ body, ip }) => calls.heartbeat(app, body, { ip })));
    }
  });

  it.each([
    ['one address', () => freshIp(), 1],
    ['ten addresses', () => freshIp(), 10],
    ['a /48 of many', () => `2001:db8:${site()}::1`, 1],
  ])('is matched as before whatever somebody makes up at %s', async (where, makeIp, addresses) => {
    const ips = Array.from({ length: addresses }, makeIp);
    const madeUp = Array.from({ length: 50 }, (_, n) => {
      const ip = ips[n % addresses]!;
      return where.startsWith('a /48') ? ip.replace('::1', `:${n.toString(16)}::1`) : ip;
    });
    for (const ip of madeUp) {
      const answer = await calls.heartbeat(app, newDevice().body, { ip });
      expect([200, 429]).toContain(answer.status);
    }
    for (let person = 0; person < 5; person++) {
      const { link, ip } = await tapped(app);
      await calls.heartbeat(app, newDevice().body, { ip });
      system.clock.advance({ minutes: 20 });
      expect(await restored(app, ip)).toEqual([link.id]);
    }
  });
});

it('is what an app is made as, and an app without users is made with a word', async () => {
  const make = async (body: object) => {
    const made = await system.manage({
      method: 'POST',
      path: '/api/manage/apps',
      body: { name: 'Shop', subdomain: `s${crypto.randomUUID().slice(0, 8)}`, ...body },
    });
    expect(made.status).toBe(200);
    return made.json.app.matching.existingUsers;
  };
  expect(await make({})).toBe(true);
  expect(await make({ matching: { existingUsers: false } })).toBe(false);
});

describe('installedSecondsAgo', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await system.makeApp();
  });

  it('leaves out what was tapped when the app was there already', async () => {
    const { link, ip } = await tapped(app);
    system.clock.advance({ minutes: 2 });
    expect(await restored(app, ip, { installedSecondsAgo: 125 })).toEqual([]);
    expect(await restored(app, ip, { installedSecondsAgo: 99.5 })).toEqual([link.id]);
  });

  it.each([-5, -0.001, 315_360_001])('%d counts as left out', async (installedSecondsAgo) => {
    const { link, ip } = await tapped(app);
    system.clock.advance({ minutes: 2 });
    expect(await restored(app, ip, { installedSecondsAgo })).toEqual([link.id]);
  });

  it('of a phone that has had the app for long gets nothing by address', async () => {
    const { ip } = await tapped(app);
    system.clock.advance({ minutes: 2 });
    for (const installedSecondsAgo of [3_600, 315_360_000]) {
      expect(await restored(app, ip, { installedSecondsAgo })).toEqual([]);
    }
  });

  it('that is no number is refused, and null is not', async () => {
    const ask = (installedSecondsAgo: unknown) => calls.restore(app, { ...newDevice().body, installedSecondsAgo });
    for (const wrong of ['120', true, {}, []]) {
      const answer = await ask(wrong);
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.text).toContain('installedSecondsAgo');
    }
    expect((await ask(null)).status).toBe(200);
  });
});
