// Tests POST /api/deferred-deep-linking/restore: spec 4.4, and the matching of the design.
// Over Kafka: a restore waits for the tap before it.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN, type System, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, expectError, linksOf, newDevice } from '../calls.ts';
import { ANDROID, BOTS, DESKTOP, IPHONE } from '../user-agents.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

const OTHER_ANDROID = ANDROID.replace('Chrome/141', 'Chrome/140');

/** Returns an app with one link, after a tap on the link at a fresh address. */
async function tapped(destination?: string, metadata?: object, from: Parameters<System['tap']>[1] = {}) {
  const app = await system.makeApp();
  const link = await system.makeLink(app, destination, metadata);
  const ip = freshIp();
  await calls.tap(link.url, { ip, ...from });
  return { app, link, ip };
}

/** Returns the links that an unknown device gets at the address. */
const asNewDevice = async (app: Awaited<ReturnType<System['makeApp']>>, ip: string) =>
  linksOf(await calls.restore(app, newDevice().body, { ip }));

describe('the answer', () => {
  it('has the fields of spec 2.4 in both spellings, and no others', async () => {
    const { app, link, ip } = await tapped('/invite/7?code=42&utm_source=mail#top', { invite: 'x', code: 'over' });
    const answer = await calls.restore(app, newDevice().body, { ip });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const [item] = answer.json.restoredLinks;
    expect(answer.json).toEqual({
      success: true,
      restoredLinks: [
        {
          pendingLinkId: expect.stringMatching(/./),
          pending_link_id: item.pendingLinkId,
          originalUrl: link.url,
          original_url: link.url,
          destination_url: '/invite/7?code=42&utm_source=mail#top',
          destination: '/invite/7?code=42&utm_source=mail#top',
          destination_path: '/invite/7',
          metadata: {
            invite: 'x',
            code: 'over',
            utm_source: 'mail',
            destination_path: '/invite/7',
            destination_full: '/invite/7?code=42&utm_source=mail#top',
            created_via: 'sdk',
          },
          parameters: { invite: 'x', code: '42', utm_source: 'mail' },
          linkId: link.id,
          link_id: link.id,
          matchType: 'address',
          matchedAt: expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      count: 1,
      message: 'Restored 1 pending links',
    });
  });

  it('is an empty list when there is nothing', async () => {
    const { json } = await calls.restore(await system.makeApp(), newDevice().body);
    expect(json).toEqual({ success: true, restoredLinks: [], count: 0, message: 'Restored 0 pending links' });
  });

  it('has the tapped URL with its query, which changes nothing of the link', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app, '/a?x=1', { y: 2 });
    const ip = freshIp();
    await calls.tap(`${link.url}?x=tapped&utm_source=evil`, { ip });
    const [item] = (await calls.restore(app, newDevice().body, { ip })).json.restoredLinks;
    expect(item.originalUrl).toBe(`${link.url}?x=tapped&utm_source=evil`);
    expect(item.parameters).toEqual({ x: '1', y: 2 });
    expect(item.metadata).not.toHaveProperty('utm_source');
  });

  it('has distinct links, newest tap last', async () => {
    const app = await system.makeApp();
    const userEmail = `${randomUUID()}@example.com`;
    const [a, b] = [await system.makeLink(app, '/a'), await system.makeLink(app, '/b')];
    for (const linkId of [a.id, b.id, a.id]) await calls.store(app, { linkId, userEmail });
    expect(linksOf(await calls.restore(app, { userEmail }))).toEqual([b.id, a.id]);
  });

  it('has 20 links at the most, the newest; the next start gets the rest', async () => {
    const app = await system.makeApp();
    const userEmail = `${randomUUID()}@example.com`;
    const ids: string[] = [];
    for (let i = 0; i < 22; i++) {
      const { id } = await system.makeLink(app, `/${i}`);
      await calls.store(app, { linkId: id, userEmail });
      ids.push(id);
    }
    const first = await calls.restore(app, { userEmail });
    expect(first.json).toMatchObject({ count: 20, message: 'Restored 20 pending links' });
    expect(linksOf(first)).toEqual(ids.slice(2));
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, { userEmail }))).toEqual(ids.slice(0, 2));
  });
});

describe('the body', () => {
  it.each([
    [{}, 'deviceFingerprint'],
    [{ appId: randomUUID() }, 'deviceFingerprint'],
    [{ userEmail: '' }, 'deviceFingerprint'],
    [{ userEmail: null }, 'deviceFingerprint'],
    [{ userEmail: '', deviceFingerprint: null }, 'deviceFingerprint'],
    [{ userEmail: ' \t ' }, 'userEmail'],
    [{ userEmail: 'x'.repeat(321) }, 'userEmail'],
    [{ userEmail: 7 }, 'userEmail'],
    [{ userEmail: ['a@b.example'] }, 'userEmail'],
    [{ deviceFingerprint: '' }, 'deviceFingerprint'],
    [{ deviceFingerprint: {} }, 'deviceFingerprint'],
    [{ deviceFingerprint: 'x'.repeat(513) }, 'deviceFingerprint'],
    [{ installReferrer: 'x'.repeat(2049) }, 'installReferrer'],
    [{ installReferrer: 1 }, 'installReferrer'],
  ])('is refused, naming the field: %j', async (body, path) => {
    const answer = await calls.restore(await system.makeApp(), body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('needs one of its fields, and takes all', async () => {
    const app = await system.makeApp();
    const one = { userEmail: 'any user id', deviceFingerprint: 'x', installReferrer: 'y' };
    for (const [name, value] of Object.entries(one))
      expect((await calls.restore(app, { [name]: value })).status).toBe(200);
    expect((await calls.restore(app, { ...one, appId: 'x' })).status).toBe(200);
  });

  it.each([null, ''])('takes %j for an email that is not given', async (userEmail) => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const { body } = newDevice();
    const stored = await calls.store(app, { linkId, userEmail, originalUrl: userEmail, ...body });
    expect(stored.status, stored.text).toBe(200);
    const answer = await calls.restore(app, { ...body, userEmail });
    expect(linksOf(answer)).toEqual([linkId]);
    expect(answer.json.restoredLinks[0]).toMatchObject({
      matchType: 'fingerprint',
      originalUrl: expect.stringMatching(/^http/),
    });
  });

  it('needs a key', async () => {
    const sent = { method: 'POST', path: '/api/deferred-deep-linking/restore', body: newDevice().body };
    expectError(await system.send(sent), 401, 'UNAUTHORIZED');
  });
});

describe('by email', () => {
  it('is trimmed and lower-cased', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const name = randomUUID();
    await calls.store(app, { linkId, userEmail: `  ${name}@Example.COM ` });
    const answer = await calls.restore(app, { userEmail: `${name.toUpperCase()}@example.com\n` });
    expect(linksOf(answer)).toEqual([linkId]);
    expect(answer.json.restoredLinks[0].matchType).toBe('email');
  });

  it('is the same in full-width, composed and decomposed letters', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'José@ｅｘａｍｐｌｅ.com'.normalize('NFD') });
    expect(linksOf(await calls.restore(app, { userEmail: 'josé@example.com'.normalize('NFC') }))).toEqual([linkId]);
  });

  it('finds everything for 30 days', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'user-17' });
    await calls.store(app, { linkId, userEmail: 'user-18' });
    system.clock.advance({ days: 29, hours: 23 });
    expect(linksOf(await calls.restore(app, { userEmail: 'user-17' }))).toEqual([linkId]);
    system.clock.advance({ hours: 2 });
    expect(linksOf(await calls.restore(app, { userEmail: 'user-18' }))).toEqual([]);
  });

  it('wins over the fingerprint and the address', async () => {
    const { app, ip } = await tapped();
    const device = newDevice();
    const byEmail = await system.makeLink(app);
    const byFingerprint = await system.makeLink(app);
    await calls.store(app, { linkId: byFingerprint.id, deviceFingerprint: device.deviceFingerprint });
    await calls.store(app, { linkId: byEmail.id, userEmail: 'user-1' });
    expect(linksOf(await calls.restore(app, { ...device.body, userEmail: 'user-1' }, { ip }))).toEqual([byEmail.id]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, device.body, { ip }))).toEqual([byFingerprint.id]);
  });

  it("never finds another app's link", async () => {
    const [app, other] = [await system.makeApp(), await system.makeApp()];
    const { id: linkId } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'user-2' });
    expect(linksOf(await calls.restore(other, { userEmail: 'user-2' }))).toEqual([]);
    expect(linksOf(await calls.restore(app, { userEmail: 'user-2' }))).toEqual([linkId]);
  });
});

describe('by fingerprint', () => {
  it('is found anywhere, for 7 days', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const [soon, late] = [newDevice(), newDevice()];
    for (const { deviceFingerprint } of [soon, late]) await calls.store(app, { linkId, deviceFingerprint });
    system.clock.advance({ days: 6, hours: 23 });
    const answer = await calls.restore(app, soon.body);
    expect(linksOf(answer)).toEqual([linkId]);
    expect(answer.json.restoredLinks[0].matchType).toBe('fingerprint');
    system.clock.advance({ hours: 2 });
    expect(linksOf(await calls.restore(app, late.body))).toEqual([]);
  });

  it("never finds another app's link", async () => {
    const [app, other] = [await system.makeApp(), await system.makeApp()];
    const { id: linkId } = await system.makeLink(app);
    const { body, deviceFingerprint } = newDevice();
    await calls.store(app, { linkId, deviceFingerprint });
    expect(linksOf(await calls.restore(other, body))).toEqual([]);
    expect(linksOf(await calls.restore(app, body))).toEqual([linkId]);
  });

  it('matches nothing when several phones have it', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const { body, deviceFingerprint } = newDevice();
    await calls.store(app, { linkId, deviceFingerprint });
    for (const _ of [1, 2]) await calls.heartbeat(app, body);
    expect(linksOf(await calls.restore(app, body))).toEqual([]);
  });
});

describe('a claim', () => {
  it('is given again to the same device for 15 seconds, and then to nobody', async () => {
    const { app, link, ip } = await tapped();
    const { body } = newDevice();
    const first = await calls.restore(app, body, { ip });
    expect(linksOf(first)).toEqual([link.id]);
    system.clock.advance({ seconds: 14 });
    expect((await calls.restore(app, body, { ip })).json).toEqual(first.json);
    system.clock.advance({ seconds: 1 });
    expect((await calls.restore(app, body, { ip })).json.count).toBe(0);
    expect(await asNewDevice(app, ip)).toEqual([]);
  });

  it('is given again to the same email only', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'user-3' });
    const first = await calls.restore(app, { userEmail: 'user-3' });
    expect((await calls.restore(app, { userEmail: ' USER-3' })).json).toEqual(first.json);
    expect((await calls.restore(app, { userEmail: 'user-4' })).json.count).toBe(0);
    system.clock.advance({ seconds: 15 });
    expect((await calls.restore(app, { userEmail: 'user-3' })).json.count).toBe(0);
  });

  it('is given to nobody else meanwhile, nor to the same fingerprint elsewhere', async () => {
    const { app, link, ip } = await tapped();
    const { body } = newDevice();
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
    expect(linksOf(await calls.restore(app, body))).toEqual([]);
    expect(await asNewDevice(app, ip)).toEqual([]);
  });

  it('goes to exactly one of 18 devices that ask at once', async () => {
    const { app, link, ip } = await tapped();
    const devices = Array.from({ length: 18 }, newDevice);
    const answers = await Promise.all(devices.map(({ body }) => calls.restore(app, body, { ip })));
    expect(answers.map((answer) => answer.status)).toEqual(devices.map(() => 200));
    expect(answers.flatMap(linksOf)).toEqual([link.id]);
  });

  it('goes to exactly one of 18 devices, also behind several taps on the link by one browser', async () => {
    const { app, link, ip } = await tapped();
    for (const _ of [1, 2, 3]) await calls.tap(link.url, { ip });
    const answers = await Promise.all(Array.from({ length: 18 }, () => calls.restore(app, newDevice().body, { ip })));
    expect(answers.flatMap(linksOf)).toEqual([link.id]);
  });

  it('by any tier retires the tap for all', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const { body, deviceFingerprint } = newDevice();
    await calls.store(app, { linkId, userEmail: 'user-5', deviceFingerprint });
    expect(linksOf(await calls.restore(app, { userEmail: 'user-5' }))).toEqual([linkId]);
    expect(linksOf(await calls.restore(app, body))).toEqual([]);
  });
});

describe('by address', () => {
  it('finds nothing of another app at the same address', async () => {
    const { app, link, ip } = await tapped();
    const other = await system.makeApp();
    expect(await asNewDevice(other, ip)).toEqual([]);
    expect(await asNewDevice(app, ip)).toEqual([link.id]);
  });

  it('finds nothing at another address', async () => {
    const { app } = await tapped();
    expect(await asNewDevice(app, freshIp())).toEqual([]);
  });

  it('takes one household of IPv6 for one address', async () => {
    const { app, link } = await tapped('/a', {}, { ip: '2001:db8:5:6::1' });
    expect(await asNewDevice(app, '2001:db8:5:7::1')).toEqual([]);
    expect(await asNewDevice(app, '2001:db8:5:6:7:8:9:a')).toEqual([link.id]);
  });

  it('finds nothing when two links were tapped by two browsers', async () => {
    const { app, ip } = await tapped();
    const other = await system.makeLink(app, '/other');
    await calls.tap(other.url, { ip, userAgent: OTHER_ANDROID });
    expect(await asNewDevice(app, ip)).toEqual([]);
  });

  it('finds the newest when two links were tapped by one browser', async () => {
    const { app, ip } = await tapped();
    const newest = await system.makeLink(app, '/other');
    await calls.tap(newest.url, { ip });
    expect(await asNewDevice(app, ip)).toEqual([newest.id]);
  });

  it('finds the link when two browsers tapped the same', async () => {
    const { app, link, ip } = await tapped();
    await calls.tap(link.url, { ip, userAgent: OTHER_ANDROID });
    expect(await asNewDevice(app, ip)).toEqual([link.id]);
  });

  it("gives a stranger's tap to the new device, and not to one that has been there for a day", async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const [known, fresh] = [newDevice(), newDevice()];
    const ip = freshIp();
    await calls.heartbeat(app, known.body, { ip });
    system.clock.advance({ days: 1, minutes: 1 });
    await calls.tap(link.url, { ip });
    await calls.heartbeat(app, known.body, { ip });
    expect(linksOf(await calls.restore(app, known.body, { ip }))).toEqual([]);
    await calls.heartbeat(app, fresh.body, { ip });
    expect(linksOf(await calls.restore(app, fresh.body, { ip }))).toEqual([link.id]);
  });

  it('takes a device for new again after a week away', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const { body } = newDevice();
    const ip = freshIp();
    await calls.heartbeat(app, body, { ip });
    system.clock.advance({ days: 7, minutes: 1 });
    await calls.tap(link.url, { ip });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
  });

  it('takes the email for the device where there is no fingerprint', async () => {
    const { app, link, ip } = await tapped();
    expect(linksOf(await calls.restore(app, { userEmail: 'user-6' }, { ip }))).toEqual([link.id]);
  });

  it('ends after an hour, and sooner where there are many people', async () => {
    const onIphone = { userAgent: IPHONE };
    const alone = await tapped(undefined, undefined, onIphone);
    system.clock.advance({ minutes: 59 });
    expect(await asNewDevice(alone.app, alone.ip)).toEqual([alone.link.id]);
    const late = await tapped(undefined, undefined, onIphone);
    system.clock.advance({ minutes: 60 });
    expect(await asNewDevice(late.app, late.ip)).toEqual([]);

    const crowded = async () => {
      const { app, link, ip } = await tapped(undefined, undefined, onIphone);
      for (const version of [14, 15, 16])
        await calls.tap(link.url, { ip, userAgent: IPHONE.replace(/Version\/\d+/, `Version/${version}`) });
      return { app, link, ip };
    };
    const [soon, tooLate] = [await crowded(), await crowded()];
    system.clock.advance({ minutes: 29 });
    expect(await asNewDevice(soon.app, soon.ip)).toEqual([soon.link.id]);
    system.clock.advance({ minutes: 2 });
    expect(await asNewDevice(tooLate.app, tooLate.ip)).toEqual([]);
  });

  it("has the app's own window, and none at all with 0", async () => {
    const wide = await system.makeApp({ matching: { windowMinutes: 50 } });
    const never = await system.makeApp({ matching: { windowMinutes: 0 } });
    const ip = freshIp();
    const [a, b] = [await system.makeLink(wide), await system.makeLink(never)];
    await calls.tap(a.url, { ip, userAgent: IPHONE });
    await calls.tap(b.url, { ip, userAgent: IPHONE });
    expect(await asNewDevice(never, ip)).toEqual([]);
    system.clock.advance({ minutes: 45 });
    expect(await asNewDevice(wide, ip)).toEqual([a.id]);
  });

  it('finds nothing in a crowd of more than 50 open taps', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const [full, crowd] = [freshIp(), freshIp()];
    await Promise.all(Array.from({ length: 50 }, () => calls.tap(link.url, { ip: full })));
    await Promise.all(Array.from({ length: 51 }, () => calls.tap(link.url, { ip: crowd })));
    expect(await asNewDevice(app, crowd)).toEqual([]);
    expect(await asNewDevice(app, full)).toEqual([link.id]);
  });

  it('is not contradicted by an SDK, and is by another kind of phone', async () => {
    const { app, link, ip } = await tapped('/a', {}, { userAgent: ANDROID });
    const from = (userAgent: string) => ({ ip, headers: { 'user-agent': userAgent } });
    expect(linksOf(await calls.restore(app, newDevice().body, from(IPHONE)))).toEqual([]);
    expect(linksOf(await calls.restore(app, newDevice().body, from('shop-sdk/7.0')))).toEqual([link.id]);
  });

  it('never finds what was stored for somebody', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const ip = freshIp();
    await calls.store(app, { linkId, userEmail: 'user-7' }, { ip });
    await calls.store(app, { linkId, deviceFingerprint: randomUUID() }, { ip });
    expect(await asNewDevice(app, ip)).toEqual([]);
    await calls.store(app, { linkId }, { ip });
    expect(await asNewDevice(app, ip)).toEqual([linkId]);
  });

  it.each([
    ['a preview bot', { userAgent: BOTS[0]! }, 200],
    ['HEAD', { method: 'HEAD' }, 302],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 503],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }, 503],
    ['the oldest prefetch', { headers: { 'x-moz': 'prefetch' } }, 503],
    ['a computer', { userAgent: DESKTOP }, 200],
    ['no user agent', { userAgent: '' }, 200],
    ['a program', { userAgent: 'curl/8.5.0' }, 200],
  ])('finds nothing that %s tapped', async (_, from, status) => {
    const app = await system.makeApp({ android: { package: 'com.example.app' } });
    const link = await system.makeLink(app);
    const ip = freshIp();
    expect((await calls.tap(link.url, { ip, ...from })).status).toBe(status);
    expect(await asNewDevice(app, ip)).toEqual([]);
    // A restore finds a person's tap even beside the ignored tap.
    await calls.tap(link.url, { ip });
    expect(await asNewDevice(app, ip)).toEqual([link.id]);
  });
});

describe('a heartbeat of the same start', () => {
  it('may come during the restore, when the fingerprint is one of several phones', async () => {
    const app = await system.makeApp();
    const { body } = newDevice();
    for (const _ of [1, 2]) await calls.heartbeat(app, body);
    system.clock.advance({ days: 1 });
    const link = await system.makeLink(app);
    const ip = freshIp();
    await calls.tap(link.url, { ip });

    const restored = calls.restore(app, body, { ip });
    // The server has read the restore: it was sent before this request, and this request is answered only after that.
    await system.send({ path: '/livez' });
    const heartbeat = calls.heartbeat(app, body, { ip });
    expect(linksOf(await restored)).toEqual([link.id]);
    expect((await heartbeat).json.isFirstLaunch).toBe(false);
  });

  it('shows that a device that seemed known is another phone of the same model', async () => {
    const app = await system.makeApp();
    const { body } = newDevice();
    await calls.heartbeat(app, body);
    system.clock.advance({ hours: 2 });
    const link = await system.makeLink(app);
    const ip = freshIp();
    await calls.tap(link.url, { ip });

    const restored = calls.restore(app, body, { ip });
    await system.send({ path: '/livez' });
    await calls.heartbeat(app, body, { ip });
    expect(linksOf(await restored)).toEqual([link.id]);
  });

  it('is needed there: without one nothing is found', async () => {
    const app = await system.makeApp();
    const { body } = newDevice();
    for (const _ of [1, 2]) await calls.heartbeat(app, body);
    const link = await system.makeLink(app);
    const ip = freshIp();
    await calls.tap(link.url, { ip });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([]);
  });
});

describe('by the install referrer', () => {
  /** Returns the install referrer that Google Play gives to the app, from the store URL in the answer to the tap. */
  const referrerOf = (location: string | undefined) => new URL(location!).searchParams.get('referrer')!;

  async function tappedOnAndroid(destination?: string) {
    const app = await system.makeApp({ android: { package: 'com.example.app' } });
    const link = await system.makeLink(app, destination);
    const ip = freshIp();
    const { headers } = await calls.tap(`${link.url}?from=play`, { ip });
    return { app, link, ip, installReferrer: referrerOf(headers.location) };
  }

  it('finds the tap from any address, with its URL', async () => {
    const { app, link, installReferrer } = await tappedOnAndroid('/a?utm_source=mail');
    expect(installReferrer).toMatch(/^lf_click=[\w-]+&utm_source=mail$/);
    const answer = await calls.restore(app, { installReferrer });
    expect(linksOf(answer)).toEqual([link.id]);
    expect(answer.json.restoredLinks[0]).toMatchObject({ matchType: 'token', originalUrl: `${link.url}?from=play` });
  });

  it('wins over everything, also for a device that is not new', async () => {
    const { app, link, installReferrer } = await tappedOnAndroid();
    const { body } = newDevice();
    await calls.heartbeat(app, body);
    const other = await system.makeLink(app);
    await calls.store(app, { linkId: other.id, userEmail: 'user-8' });
    system.clock.advance({ hours: 3 });
    expect(linksOf(await calls.restore(app, { ...body, userEmail: 'user-8', installReferrer }))).toEqual([link.id]);
  });

  it('is good once, and leaves nothing to find by address', async () => {
    const { app, link, ip, installReferrer } = await tappedOnAndroid();
    const { body } = newDevice();
    expect(linksOf(await calls.restore(app, { ...body, installReferrer }))).toEqual([link.id]);
    expect(linksOf(await calls.restore(app, { installReferrer }))).toEqual([link.id]);
    expect(await asNewDevice(app, ip)).toEqual([]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, { ...body, installReferrer }))).toEqual([]);
  });

  it('is good for 30 days', async () => {
    const [good, late] = [await tappedOnAndroid(), await tappedOnAndroid()];
    system.clock.advance({ days: 29 });
    expect(linksOf(await calls.restore(good.app, { installReferrer: good.installReferrer }))).toEqual([good.link.id]);
    system.clock.advance({ days: 2 });
    expect(linksOf(await calls.restore(late.app, { installReferrer: late.installReferrer }))).toEqual([]);
  });

  it('finds nothing when it was changed, is of another app, or is no token', async () => {
    const { app, link, installReferrer } = await tappedOnAndroid();
    const other = await system.makeApp();
    const flipped = installReferrer.replace(/^(lf_click=.{20})(.)/, (_, head, one) => head + (one === 'A' ? 'B' : 'A'));
    expect(linksOf(await calls.restore(other, { installReferrer }))).toEqual([]);
    for (const wrong of [
      flipped,
      'utm_source=google-play&utm_medium=organic',
      'lf_click=',
      'lf_click=%',
      installReferrer.slice(0, -1),
    ])
      expect(linksOf(await calls.restore(app, { installReferrer: wrong })), wrong).toEqual([]);
    expect(linksOf(await calls.restore(app, { installReferrer }))).toEqual([link.id]);
  });
});

describe('a link that changed since the tap', () => {
  it('is left out when it was archived, and given when that was taken back', async () => {
    const [gone, back] = [await tapped(), await tapped()];
    for (const { link } of [gone, back]) await calls.edit(link.id, { archived: true });
    await calls.edit(back.link.id, { archived: false });
    const { json } = await calls.restore(gone.app, newDevice().body, { ip: gone.ip });
    expect(json).toMatchObject({ restoredLinks: [], count: 0, message: 'Restored 0 pending links' });
    expect(await asNewDevice(back.app, back.ip)).toEqual([back.link.id]);
  });

  it('is left out when it has expired', async () => {
    const { app, link, ip } = await tapped();
    await calls.edit(link.id, { expiresAt: new Date(system.clock() + 60_000).toISOString() });
    system.clock.advance({ minutes: 2 });
    expect(await asNewDevice(app, ip)).toEqual([]);
  });

  it('leaves the others', async () => {
    const app = await system.makeApp();
    const [a, b, c] = [await system.makeLink(app), await system.makeLink(app), await system.makeLink(app)];
    for (const { id: linkId } of [a, b, c]) await calls.store(app, { linkId, userEmail: 'user-9' });
    await calls.edit(b.id, { archived: true });
    const { json } = await calls.restore(app, { userEmail: 'user-9' });
    expect(json.restoredLinks.map((item: { linkId: string }) => item.linkId)).toEqual([a.id, c.id]);
    expect(json).toMatchObject({ count: 2, message: 'Restored 2 pending links' });
  });

  it("has its URL on the app's host of now, where none was tapped", async () => {
    const app = await system.makeApp();
    const { id: linkId, slug } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'user-10' });
    const subdomain = `moved-${randomUUID().slice(0, 8)}`;
    await calls.change({ method: 'PATCH', path: `/api/manage/apps/${app.app.id}`, body: { subdomain } });
    const [item] = (await calls.restore(app, { userEmail: 'user-10' })).json.restoredLinks;
    expect(item.originalUrl).toBe(`http://${subdomain}.${LINK_DOMAIN}/${slug}`);
  });
});
