// The management API, as a holder of the owner token uses it.
import { randomUUID } from 'node:crypto';
import { freshIp, LINK_DOMAIN } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { del, expectError, newDevice, patch, post, put, systemOfFile } from '../calls.ts';
import { ANDROID } from '../user-agents.ts';

const { system, calls } = await systemOfFile();

const APPS = '/api/manage/apps';
const aSubdomain = () => `m${randomUUID().slice(0, 8)}`;
const get = (path: string) => system.manage({ path });

/** Returns an app that the management API created. */
async function madeApp(settings: object = {}) {
  const body = { name: 'Shop', subdomain: aSubdomain(), ...settings };
  const answer = await calls.change(post(APPS, body));
  expect(answer.status, answer.text).toBe(200);
  return answer.json.app;
}

const CERTIFICATE = `${'AB:'.repeat(31)}CD`;

describe('an app', () => {
  it('is made with its name and subdomain, and has defaults for the rest', async () => {
    const subdomain = aSubdomain();
    const { status, json } = await calls.change(post(APPS, { name: 'Shop', subdomain }));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      app: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Shop',
        linkHost: `${subdomain}.${LINK_DOMAIN}`,
        openHost: `open-${subdomain}.${LINK_DOMAIN}`,
        timeZone: 'UTC',
        identity: 'off',
        matching: { windowMinutes: 60, personMinutes: 90, tokenDays: 30, emailDays: 30, fingerprintDays: 7 },
        version: 1,
      },
    });
    expect((await get(`${APPS}/${json.app.id}`)).json).toEqual(json);
    expect((await get(`${APPS}/${json.app.id.toUpperCase()}`)).json).toEqual(json);
  });

  it('is made with all of its settings', async () => {
    const settings = {
      ios: { storeId: '123', teamId: 'ABCDE12345', bundleId: 'com.example.shop', storeUrl: 'https://apps.example/1' },
      android: {
        package: 'com.example.shop',
        certificates: [CERTIFICATE],
        storeUrl: 'https://play.example/1',
        huaweiStoreUrl: 'https://huawei.example/1',
        amazonStoreUrl: 'https://amazon.example/1',
      },
      webFallbackUrl: 'https://shop.example/app',
      matching: { windowMinutes: 12 },
      labels: ['inviter'],
      timeZone: 'Asia/Kolkata',
    };
    expect(await madeApp(settings)).toMatchObject({ ...settings, matching: { windowMinutes: 12, crowdTaps: 50 } });
  });

  it('is changed field by field: what is left out stays as it is', async () => {
    const counted = { labels: ['inviter', 'campaign'], timeZone: 'Asia/Kolkata' };
    const ios = { storeId: '1', teamId: 'ABCDE12345' };
    const app = await madeApp({ ios, matching: { windowMinutes: 12 }, ...counted });
    const change = { ios: { bundleId: 'com.example.shop', storeId: null }, webFallbackUrl: 'https://shop.example' };
    const { status, json } = await calls.change(patch(`${APPS}/${app.id}`, change));
    expect(status).toBe(200);
    expect(json.app).toMatchObject({
      ios: { storeId: null, teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
      webFallbackUrl: 'https://shop.example',
      matching: { windowMinutes: 12 },
      ...counted,
      name: 'Shop',
      version: 2,
    });
    expect((await get(`${APPS}/${app.id}`)).json.app).toEqual(json.app);
    const empty = await calls.change(patch(`${APPS}/${app.id}`, {}));
    expect(empty.json.app).toMatchObject({ ...json.app, version: expect.any(Number) });
    const moved = await calls.change(patch(`${APPS}/${app.id}`, { labels: [], timeZone: 'Europe/Berlin' }));
    expect(moved.json.app).toMatchObject({ labels: [], timeZone: 'Europe/Berlin', ios: json.app.ios });
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ subdomain: 'Shop' }, 'subdomain'],
    [{ subdomain: '-a' }, 'subdomain'],
    [{ subdomain: 'x'.repeat(64) }, 'subdomain'],
    [{ ios: { storeId: 'id123' } }, 'ios.storeId'],
    [{ ios: { bundleId: 'a b' } }, 'ios.bundleId'],
    [{ ios: { storeUrl: 'javascript:alert(1)' } }, 'ios.storeUrl'],
    [{ android: { certificates: [CERTIFICATE.toLowerCase()] } }, 'android.certificates.0'],
    [{ android: { amazonStoreUrl: 'ftp://a.example' } }, 'android.amazonStoreUrl'],
    [{ webFallbackUrl: 'shop.example' }, 'webFallbackUrl'],
    [{ matching: { windowMinutes: -1 } }, 'matching.windowMinutes'],
    [{ matching: { windowMinutes: 1441 } }, 'matching.windowMinutes'],
    [{ labels: ['a b'] }, 'labels.0'],
    [{ labels: ['x'.repeat(51)] }, 'labels.0'],
    [{ labels: ['a', 'a'] }, 'labels'],
    [{ labels: Array.from({ length: 11 }, (_, n) => `a${n}`) }, 'labels'],
    [{ timeZone: 'Berlin' }, 'timeZone'],
  ])('is refused, naming the field: %j', async (wrong, path) => {
    const made = await calls.change(post(APPS, { name: 'Shop', subdomain: aSubdomain(), ...wrong }));
    expectError(made, 400, 'INVALID_REQUEST');
    expect(made.json.details[0].path).toBe(path);
    expect(made.json.error).toContain(path);
    if (Object.values(wrong)[0] === undefined) return;
    const app = await madeApp();
    const changed = await calls.change(patch(`${APPS}/${app.id}`, wrong));
    expectError(changed, 400, 'INVALID_REQUEST');
    expect(changed.json.details[0].path).toBe(path);
    expect((await get(`${APPS}/${app.id}`)).json.app).toEqual(app);
  });

  it('names every field that is wrong', async () => {
    const body = { name: '', subdomain: 'A', ios: { teamId: 'x' }, android: { package: 'x' } };
    const { json } = await calls.change(post(APPS, body));
    const paths = json.details.map((detail: { path: string }) => detail.path);
    expect(paths.sort()).toEqual(['android.package', 'ios.teamId', 'name', 'subdomain']);
  });

  it('that is none is 404', async () => {
    const id = randomUUID();
    const wrong = [
      get(`${APPS}/${id}`),
      calls.change(patch(`${APPS}/${id}`, { name: 'x' })),
      calls.change(put(`${APPS}/${id}/plan`, { name: 'x', linksPerMonth: 1 })),
      calls.change(post(`${APPS}/${id}/keys`, {})),
      get(`${APPS}/${id}/keys`),
      get(`${APPS}/${id}/links`),
      get(`${APPS}/${id}/restores`),
      calls.change(del(`${APPS}/${id}/keys/${id}`)),
    ];
    for (const answer of await Promise.all(wrong)) expectError(answer, 404, 'APP_NOT_FOUND');
    const keys = `${APPS}/${(await madeApp()).id}/keys`;
    expectError(await calls.change(del(`${keys}/${id}`)), 404, 'KEY_NOT_FOUND');
    expectError(await calls.edit(id, { archived: true }), 404, 'LINK_NOT_FOUND');
  });
});

describe('a subdomain', () => {
  it('is given once', async () => {
    const { subdomain } = await madeApp();
    expectError(await calls.change(post(APPS, { name: 'Other', subdomain })), 409, 'SUBDOMAIN_TAKEN');
    const other = await madeApp();
    expectError(await calls.change(patch(`${APPS}/${other.id}`, { subdomain })), 409, 'SUBDOMAIN_TAKEN');
  });

  it.each(['www', 'open-shop', 'xn--80ak6aa92e'])('is never given: %s', async (subdomain) => {
    expectError(await calls.change(post(APPS, { name: 'x', subdomain })), 409, 'SUBDOMAIN_RESERVED');
    const app = await madeApp();
    expectError(await calls.change(patch(`${APPS}/${app.id}`, { subdomain })), 409, 'SUBDOMAIN_RESERVED');
  });

  it('that was given up goes to nobody else; its app may take it back, and its old links live on', async () => {
    const app = await madeApp();
    const { plaintext } = (await calls.change(post(`${APPS}/${app.id}/keys`, {}))).json;
    const { url, slug } = await system.makeLink({ app, key: plaintext });
    const moved = aSubdomain();
    const { json } = await calls.change(patch(`${APPS}/${app.id}`, { subdomain: moved }));
    expect(json.app).toMatchObject({ subdomain: moved, linkHost: `${moved}.${LINK_DOMAIN}` });

    expectError(await calls.change(post(APPS, { name: 'x', subdomain: app.subdomain })), 409, 'SUBDOMAIN_TAKEN');
    const other = await madeApp();
    expectError(await calls.change(patch(`${APPS}/${other.id}`, { subdomain: app.subdomain })), 409, 'SUBDOMAIN_TAKEN');
    // Links that people shared before the move still work.
    for (const hostname of [app.linkHost, `${moved}.${LINK_DOMAIN}`])
      expect((await calls.resolve({ slug, hostname })).status, hostname).toBe(200);
    // A new app is played by a page of ours.
    expect((await system.tap(url)).headers.location).toMatch(/\/simulated-app\?/);

    const back = await calls.change(patch(`${APPS}/${app.id}`, { subdomain: app.subdomain }));
    expect(back.json.app.subdomain).toBe(app.subdomain);
  });
});

describe('a key', () => {
  const use = (key: string) =>
    system.send({ ...post('/api/links/create-sdk', { destination: '/a' }), headers: { 'x-service-sdk-key': key } });

  it('is shown once, when it is made, and works at once', async () => {
    const app = await madeApp();
    const { json } = await calls.change(post(`${APPS}/${app.id}/keys`, { label: 'server' }));
    expect(json).toMatchObject({
      plaintext: expect.stringMatching(/^ol_[0-9a-f]{32}$/),
      key: { appId: app.id, kind: 'mobile', label: 'server', hint: expect.stringMatching(/^ol_[0-9a-f]{4}…$/) },
    });
    expect((await use(json.plaintext)).status).toBe(200);
    const listed = await get(`${APPS}/${app.id}/keys`);
    expect(listed.text).not.toContain(json.plaintext);
    await system.settled();
    expect((await get(`${APPS}/${app.id}/keys`)).json.keys[0].lastUsedAt).toEqual(expect.any(String));
  });

  it('is rotated without an outage: two live at once, and the revoked one stops at once', async () => {
    const app = await madeApp();
    const make = async () => (await calls.change(post(`${APPS}/${app.id}/keys`, {}))).json;
    const [old, fresh] = [await make(), await make()];
    for (const { plaintext } of [old, fresh]) expect((await use(plaintext)).status).toBe(200);
    const revoked = await calls.change(del(`${APPS}/${app.id}/keys/${old.key.id}`));
    expect(revoked.status).toBe(200);
    expect(revoked.json.key).toMatchObject({ id: old.key.id, revokedAt: expect.any(String) });
    expectError(await use(old.plaintext), 401, 'UNAUTHORIZED');
    expect((await use(fresh.plaintext)).status).toBe(200);

    const { keys } = (await get(`${APPS}/${app.id}/keys`)).json;
    const live = keys.filter((key: { revokedAt: string | null }) => key.revokedAt === null);
    expect([keys.length, live.length]).toEqual([2, 1]);
    // A second revocation changes nothing, not even the time.
    const again = await calls.change(del(`${APPS}/${app.id}/keys/${old.key.id}`));
    expect(again.json.key.revokedAt).toBe(revoked.json.key.revokedAt);
  });

  it("is not revoked through another app's name", async () => {
    const [app, other] = [await madeApp(), await madeApp()];
    const { key, plaintext } = (await calls.change(post(`${APPS}/${app.id}/keys`, {}))).json;
    expectError(await calls.change(del(`${APPS}/${other.id}/keys/${key.id}`)), 404, 'KEY_NOT_FOUND');
    expect((await use(plaintext)).status).toBe(200);
  });
});

describe('a plan', () => {
  it('holds at once, and counts what was made before it', async () => {
    const app = await system.makeApp();
    for (const _ of [1, 2, 3]) await system.makeLink(app);
    const plan = (linksPerMonth: number | null) =>
      calls.change(put(`${APPS}/${app.app.id}/plan`, { name: 'starter', linksPerMonth }));
    expect((await plan(4)).json.app.plan).toEqual({ name: 'starter', linksPerMonth: 4 });
    await system.makeLink(app);
    expect((await calls.create(app, { destination: '/a' })).json).toMatchObject({
      currentCount: 4,
      limit: 4,
      plan: 'starter',
    });
    await plan(2);
    expect((await calls.create(app, { destination: '/a' })).json).toMatchObject({ currentCount: 4, limit: 2 });
    await plan(null);
    await system.makeLink(app);
    await plan(0);
    expect((await calls.create(app, { destination: '/a' })).json).toMatchObject({ currentCount: 5, limit: 0 });
  });

  it.each([
    [{}, 'name'],
    [{ name: 'x', linksPerMonth: -1 }, 'linksPerMonth'],
    [{ name: 'x', linksPerMonth: 2 ** 31 }, 'linksPerMonth'],
  ])('is refused, naming the field: %j', async (body, path) => {
    const answer = await calls.change(put(`${APPS}/${randomUUID()}/plan`, body));
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });
});

describe('links', () => {
  it('are made, with metadata and an expiry, and once for each idempotency key', async () => {
    const { app } = await system.makeApp();
    const path = `${APPS}/${app.id}/links`;
    const body = { destination: '/made?a=1', metadata: { campaign: 'spring' }, expiresAt: '2030-01-01T10:00:00+02:00' };
    const make = (sent: object) =>
      system.manage({ method: 'POST', path, body: sent, headers: { 'idempotency-key': 'form-1' } });
    const first = await make(body);
    expect(first).toMatchObject({
      status: 200,
      json: { link: { ...body, expiresAt: '2030-01-01T08:00:00.000Z', archivedAt: null } },
    });
    expect((await make(body)).json.link.id).toBe(first.json.link.id);
    expectError(await make({ destination: '/other' }), 400, 'IDEMPOTENCY_KEY_REUSED');
    const wrong = await system.manage(post(path, { destination: '' }));
    expectError(wrong, 400, 'INVALID_REQUEST');
    expect(wrong.json.details[0].path).toBe('destination');
  });

  it('are not made above the limit of the plan', async () => {
    const { app } = await system.makeApp({}, 1);
    const make = () => system.manage(post(`${APPS}/${app.id}/links`, { destination: '/a' }));
    expect((await make()).status).toBe(200);
    expect(await make()).toMatchObject({ status: 403, json: { code: 'GENERATED_LINKS_LIMIT_REACHED', limit: 1 } });
  });

  it.each(['limit=101', 'limit=1.5', 'cursor=x'])('are not listed with a wrong page: %s', async (query) => {
    const answer = await get(`${APPS}/${(await madeApp()).id}/links?${query}`);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(query.split('=')[0]);
  });
});

describe('restores', () => {
  it('are listed with what was given, what was not, and why', async () => {
    const app = await system.makeApp();
    const link = await system.makeLink(app, '/a');
    const ip = freshIp();
    await calls.tap(link.url, { ip });
    const device = newDevice();
    const given = await calls.restore(app, device.body, { ip });
    await calls.restore(app, device.body, { ip });
    const other = await system.makeLink(app, '/b');
    await calls.tap(link.url, { ip });
    await calls.tap(other.url, { ip, userAgent: ANDROID.replace('141', '140') });
    await calls.restore(app, newDevice().body, { ip });
    // A first start that found nothing. A later start of the same device has no row.
    const nowhere = newDevice();
    for (const _ of [1, 2]) await calls.restore(app, nowhere.body, { ip: freshIp() });

    const { json } = await get(`${APPS}/${app.app.id}/restores`);
    expect(json.next).toBeNull();
    const [untapped, nothing, again, first] = json.restores;
    expect(json.restores).toHaveLength(4);
    expect(untapped).toMatchObject({ outcome: 'untapped', considered: [], near: [{ here: false }, {}, {}] });
    expect(nothing).toMatchObject({
      matchType: null,
      summary: 'nothing: 2 different links were tapped at this network address, so nobody can tell which one is meant',
      considered: [other.id, link.id].map((linkId) => ({ linkId, matchType: 'address', taken: false })),
      releasedAt: null,
    });
    expect(again.summary).toContain('the same as');
    expect(first).toMatchObject({
      matchType: 'address',
      summary: expect.stringMatching(/^1 link by address: tapped (.* earlier|in the same second)$/),
      considered: [{ linkId: link.id, taken: true, pendingLinkId: given.json.restoredLinks[0].pendingLinkId }],
    });
    // The list holds no personal data.
    expect(JSON.stringify(json)).not.toContain(ip);
    expect(JSON.stringify(json)).not.toContain(device.deviceFingerprint);
  });
});
