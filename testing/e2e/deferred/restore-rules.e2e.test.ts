// The rules of matching, each tested through the API: who gets a pending link, and who does not.
// Over Kafka: restores wait for taps, openings and edits of links.
import { freshIp, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, linksOf, newDevice } from '../calls.ts';
import { IPHONE, IPHONE_IN_LINKEDIN } from '../user-agents.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

/** Returns an app with one link. */
async function appWithLink() {
  const app = await system.makeApp({ android: { package: 'com.example.app' } });
  return { app, link: await system.makeLink(app), ip: freshIp() };
}

describe('a first start that fails', () => {
  it('is repeated, and finds the link all the same', async () => {
    const { app, link, ip } = await appWithLink();
    await calls.tap(link.url, { ip });
    const { body } = newDevice();
    await calls.heartbeat(app, body, { ip });
    system.clock.advance({ seconds: 32 });
    await calls.heartbeat(app, body, { ip });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
  });

  it.each([
    ['from another address', {}, { minutes: 1 }],
    ['from another user agent', { headers: { 'user-agent': 'openlynk-flutter-sdk/0.2.0' } }, { minutes: 1 }],
    ['after more than ten minutes', {}, { minutes: 11 }],
  ])('is another phone of the same model when it is repeated %s', async (how, from, later) => {
    const { app, link, ip } = await appWithLink();
    const { body, deviceFingerprint } = newDevice();
    await calls.store(app, { linkId: link.id, deviceFingerprint });
    await calls.heartbeat(app, body, { ip });
    system.clock.advance(later);
    await calls.heartbeat(app, body, { ip: how === 'from another address' ? freshIp() : ip, ...from });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([]);
  });
});

/** Resolves the link as the installed app does when the link opens it. */
async function open(app: TestApp, link: { slug: string }, ip: string) {
  const answer = await system.sdk(app, { ip, path: `/api/links/get-by-slug?slug=${link.slug}&appId=${app.app.id}` });
  expect(answer.status).toBe(200);
  await system.settled();
}

/** Taps on Android. Returns the install referrer that Google Play gives to the app after the install. */
async function tapForToken(url: string, ip: string) {
  const { headers } = await calls.tap(url, { ip });
  return new URL(headers.location!).searchParams.get('referrer')!;
}

const decisions = async ({ app }: TestApp) =>
  (await system.manage({ path: `/api/manage/apps/${app.id}/restores` })).json.restores as {
    matchType: string | null;
    summary: string;
    releasedAt: string | null;
  }[];

describe('a token', () => {
  it('is good after the installed app of somebody at the address opened the link', async () => {
    const { app, link, ip } = await appWithLink();
    const installReferrer = await tapForToken(link.url, ip);
    await open(app, link, ip);
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
    expect(linksOf(await calls.restore(app, { installReferrer }, { ip }))).toEqual([link.id]);
  });

  it('is good for each of two phones in one flat that tapped one link', async () => {
    const { app, link, ip } = await appWithLink();
    const referrers = [await tapForToken(link.url, ip), await tapForToken(link.url, ip)];
    for (const installReferrer of referrers) {
      expect(linksOf(await calls.restore(app, { installReferrer }, { ip }))).toEqual([link.id]);
    }
    system.clock.advance({ seconds: 16 });
    for (const installReferrer of referrers) {
      expect(linksOf(await calls.restore(app, { installReferrer }, { ip }))).toEqual([]);
    }
  });

  it('is good after another device was given its tap by address, and not for that device', async () => {
    const { app, link, ip } = await appWithLink();
    const installReferrer = await tapForToken(link.url, ip);
    const [first, second] = [newDevice().body, newDevice().body];
    expect(linksOf(await calls.restore(app, first, { ip }))).toEqual([link.id]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, { ...first, installReferrer }, { ip }))).toEqual([]);
    expect(linksOf(await calls.restore(app, { ...second, installReferrer }, { ip }))).toEqual([link.id]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, { ...second, installReferrer }, { ip }))).toEqual([]);
  });
});

describe('one phone', () => {
  it('gets one link once, whatever browsers it tapped it in', async () => {
    const { app, link, ip } = await appWithLink();
    await calls.tap(link.url, { ip, userAgent: IPHONE_IN_LINKEDIN });
    system.clock.advance({ seconds: 20 });
    await calls.tap(link.url, { ip, userAgent: IPHONE });
    const { body } = newDevice();
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([]);
    expect((await decisions(app))[0]).toMatchObject({
      summary: 'nothing: this device was given this link 16 seconds ago',
    });
    // The other tap may come from another person.
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  it('gets a link again that it taps again', async () => {
    const { app, link, ip } = await appWithLink();
    const { body } = newDevice();
    for (const _ of [1, 2]) {
      await calls.tap(link.url, { ip, userAgent: IPHONE });
      system.clock.advance({ seconds: 16 });
      expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
      system.clock.advance({ seconds: 16 });
    }
  });
});

describe('an opening by the installed app', () => {
  it('retires the taps before it, also the second in a minute', async () => {
    const { app, link, ip } = await appWithLink();
    for (const _ of [1, 2]) {
      await calls.tap(link.url, { ip });
      system.clock.advance({ seconds: 5 });
      await open(app, link, ip);
      system.clock.advance({ seconds: 5 });
    }
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
    await calls.tap(link.url, { ip });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });
});

describe('a link that is gone', () => {
  it('is not given, recorded as given, or used up; it is given when it is taken back', async () => {
    const { app, link, ip } = await appWithLink();
    await calls.tap(link.url, { ip });
    await calls.edit(link.id, { archived: true });
    const { json } = await calls.restore(app, newDevice().body, { ip });
    expect(json).toMatchObject({ restoredLinks: [], count: 0 });
    expect(await decisions(app)).toMatchObject([
      { matchType: null, summary: 'nothing: the link is archived', releasedAt: null },
    ]);
    await calls.edit(link.id, { archived: false });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
    expect(await decisions(app)).toHaveLength(2);
  });

  it('is not given after it has expired', async () => {
    const { app, link, ip } = await appWithLink();
    await calls.tap(link.url, { ip });
    await calls.edit(link.id, { expiresAt: new Date(system.clock() + 60_000).toISOString() });
    system.clock.advance({ minutes: 2 });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
    expect((await decisions(app))[0]).toMatchObject({ matchType: null, summary: 'nothing: the link has expired' });
    await calls.edit(link.id, { expiresAt: null });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  it('hides no link that is there, and makes none unclear', async () => {
    const { app, link, ip } = await appWithLink();
    const gone = await system.makeLink(app);
    await calls.tap(link.url, { ip, userAgent: IPHONE });
    system.clock.advance({ seconds: 5 });
    await calls.tap(gone.url, { ip });
    await calls.edit(gone.id, { archived: true });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  it('is not given for a token either', async () => {
    const { app, link, ip } = await appWithLink();
    const installReferrer = await tapForToken(link.url, ip);
    await calls.edit(link.id, { archived: true });
    expect(linksOf(await calls.restore(app, { installReferrer }))).toEqual([]);
    await calls.edit(link.id, { archived: false });
    expect(linksOf(await calls.restore(app, { installReferrer }))).toEqual([link.id]);
  });
});
