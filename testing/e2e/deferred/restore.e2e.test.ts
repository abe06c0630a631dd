// Tests POST /api/deferred-deep-linking/restore: spec 4.4, and the matching of the design.
// Over Kafka: a restore waits for the tap before it.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN, type System, type TestApp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, inOneProcess, linksOf, newDevice, patch, systemOfFile } from '../calls.ts';
import { BOTS, DESKTOP, IPHONE } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

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

  once.it('is an empty list when there is nothing', async () => {
    const { json } = await calls.restore(await system.makeApp(), newDevice().body);
    expect(json).toEqual({ success: true, restoredLinks: [], count: 0, message: 'Restored 0 pending links' });
  });
});

once.describe('the body', () => {
  it.each([
    [{}, 'deviceFingerprint'],
    [{ userEmail: '', deviceFingerprint: null }, 'deviceFingerprint'],
    [{ userEmail: ' \t ' }, 'userEmail'],
    [{ userEmail: 'x'.repeat(321) }, 'userEmail'],
    [{ userEmail: ['a@b.example'] }, 'userEmail'],
    [{ deviceFingerprint: 'x'.repeat(513) }, 'deviceFingerprint'],
    [{ installReferrer: 'x'.repeat(2049) }, 'installReferrer'],
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

  it('needs a key', async () => {
    const sent = { method: 'POST', path: '/api/deferred-deep-linking/restore', body: newDevice().body };
    expectError(await system.send(sent), 401, 'UNAUTHORIZED');
  });
});

once.describe('by email', () => {
  it('is trimmed and lower-cased', async () => {
    const app = await system.makeApp();
    const { id: linkId } = await system.makeLink(app);
    const name = randomUUID();
    await calls.store(app, { linkId, userEmail: `  ${name}@Example.COM ` });
    const answer = await calls.restore(app, { userEmail: `${name.toUpperCase()}@example.com\n` });
    expect(linksOf(answer)).toEqual([linkId]);
    expect(answer.json.restoredLinks[0].matchType).toBe('email');
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
});

once.describe('by fingerprint', () => {
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

  once.it('is given to nobody else meanwhile, nor to the same fingerprint elsewhere', async () => {
    const { app, link, ip } = await tapped();
    const { body } = newDevice();
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
    expect(linksOf(await calls.restore(app, body))).toEqual([]);
    expect(await asNewDevice(app, ip)).toEqual([]);
  });
});

once.describe('by address', () => {
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

  it.each([
    ['a preview bot', { userAgent: BOTS[0]! }, 200],
    ['HEAD', { method: 'HEAD' }, 302],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 503],
    ['a computer', { userAgent: DESKTOP }, 200],
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

  once.it('is good once, and leaves nothing to find by address', async () => {
    const { app, link, ip, installReferrer } = await tappedOnAndroid();
    const { body } = newDevice();
    expect(linksOf(await calls.restore(app, { ...body, installReferrer }))).toEqual([link.id]);
    expect(linksOf(await calls.restore(app, { installReferrer }))).toEqual([link.id]);
    expect(await asNewDevice(app, ip)).toEqual([]);
    system.clock.advance({ seconds: 16 });
    expect(linksOf(await calls.restore(app, { ...body, installReferrer }))).toEqual([]);
  });

  once.it('finds nothing when it was changed, is of another app, or is no token', async () => {
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
  const decisions = async ({ app }: TestApp) =>
    (await system.manage({ path: `/api/manage/apps/${app.id}/restores` })).json.restores;

  it('is not given, recorded as given, or used up; it is given when it is taken back', async () => {
    const { app, link, ip } = await tapped();
    await calls.edit(link.id, { archived: true });
    const { json } = await calls.restore(app, newDevice().body, { ip });
    expect(json).toMatchObject({ restoredLinks: [], count: 0, message: 'Restored 0 pending links' });
    expect(await decisions(app)).toMatchObject([
      { matchType: null, summary: 'nothing: the link is archived', releasedAt: null },
    ]);
    await calls.edit(link.id, { archived: false });
    expect(await asNewDevice(app, ip)).toEqual([link.id]);
    expect(await decisions(app)).toHaveLength(2);
  });

  once.it('leaves the others', async () => {
    const app = await system.makeApp();
    const [a, b, c] = [await system.makeLink(app), await system.makeLink(app), await system.makeLink(app)];
    for (const { id: linkId } of [a, b, c]) await calls.store(app, { linkId, userEmail: 'user-9' });
    await calls.edit(b.id, { archived: true });
    const { json } = await calls.restore(app, { userEmail: 'user-9' });
    expect(json.restoredLinks.map((item: { linkId: string }) => item.linkId)).toEqual([a.id, c.id]);
    expect(json).toMatchObject({ count: 2, message: 'Restored 2 pending links' });
  });

  once.it("has its URL on the app's host of now, where none was tapped", async () => {
    const app = await system.makeApp();
    const { id: linkId, slug } = await system.makeLink(app);
    await calls.store(app, { linkId, userEmail: 'user-10' });
    const subdomain = `moved-${randomUUID().slice(0, 8)}`;
    await calls.change(patch(`/api/manage/apps/${app.app.id}`, { subdomain }));
    const [item] = (await calls.restore(app, { userEmail: 'user-10' })).json.restoredLinks;
    expect(item.originalUrl).toBe(`http://${subdomain}.${LINK_DOMAIN}/${slug}`);
  });
});
