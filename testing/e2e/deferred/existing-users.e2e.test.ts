// An app that had users before it used Landfall: what its phones get while the update with the client reaches them,
// what the reason of a decision says about it, and what ends this state. Also the time since the install, which a
// client may send.
import { freshIp, IPHONE, type TestApp } from '@landfall/testkit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, linksOf, newDevice, patch, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

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
    const changed = await system.manage(
      patch(`/api/manage/apps/${app.app.id}`, { matching: { existingUsers: false } }),
    );
    expect(changed.json.app.matching.existingUsers).toBe(false);
    await system.settled();
    expect(await restored(app, ip)).toEqual([link.id]);
    expect((await matching()).rollout).toBeNull();
  });
});

it('is what an app is made as, and an app without users is made with a word', async () => {
  const make = async (body: object) => {
    const made = await system.manage(
      post('/api/manage/apps', { name: 'Shop', subdomain: `s${crypto.randomUUID().slice(0, 8)}`, ...body }),
    );
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

  it.each([-0.001, 315_360_001])('%d counts as left out', async (installedSecondsAgo) => {
    const { link, ip } = await tapped(app);
    system.clock.advance({ minutes: 2 });
    expect(await restored(app, ip, { installedSecondsAgo })).toEqual([link.id]);
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
