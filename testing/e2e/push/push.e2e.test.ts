// Push as phones and senders see it: devices register, pushes are sent, read and stopped, and opened pushes are
// counted.
// Over Kafka: pushes, registrations and opens are published.
import { randomUUID } from 'node:crypto';
import { connect } from '@landfall/db';
import { fakesOfRun, peopleOf, type TestApp, type TestPerson } from '@landfall/testkit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { del, expectError, fcmToken, inOneProcess, post, put, systemOfFile } from '../calls.ts';

const fakes = await fakesOfRun();
afterAll(() => fakes.close());
const { system, calls } = await systemOfFile(fakes.env);
const once = inOneProcess();
const people = peopleOf(system);
const first = await people.setUp();
/** The owner of the team that has the app. `member` and `viewer` are in the same team. */
const owner = first;
const teamId = await people.makeTeam(owner, 'Senders');
const member = await people.join(owner, teamId, 'member');
let viewer = await people.join(owner, teamId, 'viewer');
/** A person of another team. */
const stranger = await people.join(owner, first.teamId, 'owner');
const app = await makeApp();

/** Makes an app of the team, with a key. */
async function makeApp(): Promise<TestApp> {
  const body = { teamId, name: 'Shop', subdomain: `p${randomUUID().slice(0, 8)}` };
  const made = await owner.send(post('/api/manage/apps', body));
  await system.settled();
  const key = await owner.send(post(`/api/manage/apps/${made.json.app.id}/keys`, {}));
  await system.settled();
  return { app: made.json.app, key: key.json.plaintext };
}

const toAll = (one = app) => ({ appId: one.app.id, title: 'Hello', body: 'World', target: { all: true } });
const send = (body: object, by: Pick<TestPerson, 'send'> = member) => by.send(post('/api/push/send', body));
const audience = async (target: object, one = app): Promise<number> => {
  const counted = await viewer.send(post(`/api/manage/apps/${one.app.id}/notifications/audience`, { target }));
  expect(counted.status, counted.text).toBe(200);
  return counted.json.targeted;
};
const see = (notificationId: string, by: Pick<TestPerson, 'send'> = viewer) =>
  by.send({ path: `/api/manage/notifications/${notificationId}` });
const cancel = (notificationId: string) =>
  member.send({ method: 'POST', path: `/api/manage/notifications/${notificationId}/cancel` });
const inDays = (days: number) => new Date(system.clock() + days * 86_400_000).toISOString();

describe('a device', () => {
  it('registers, moves to another user, signs out and comes again', async () => {
    const one = await makeApp();
    const [ann, ben] = ['ann@push.example', ' Ben@Push.example '];
    const deviceToken = fcmToken();
    const register = async (userEmail?: string | null) => {
      const registered = await calls.register(one, { appId: 'x', deviceToken, platform: 'ios', userEmail });
      expect([registered.status, registered.json]).toEqual([200, { success: true }]);
      await system.settled();
    };
    const counts = async () => [
      await audience({ all: true }, one),
      await audience({ userEmails: [ann] }, one),
      await audience({ userEmails: ['ben@push.example'] }, one),
    ];
    await register(ann);
    expect(await counts()).toEqual([1, 1, 0]);
    await register(ben);
    expect(await counts()).toEqual([1, 0, 1]);
    for (const nobody of [undefined, null, '']) {
      await register(ann);
      await register(nobody);
      expect(await counts()).toEqual([1, 0, 0]);
    }
    const two = post(`/api/manage/apps/${one.app.id}/notifications/audience`, {
      target: { userEmails: [' Ann@push.example', ben] },
    });
    expect((await viewer.send(two)).json.usersWithoutDevice).toEqual([' Ann@push.example', ben]);
    await register('user 4711');
    expect(await audience({ userEmails: ['User 4711'] }, one)).toBe(1);
    expect(await audience({ deviceTokens: [deviceToken], platform: 'ios' }, one)).toBe(1);
    expect(await audience({ deviceTokens: [deviceToken], platform: 'android' }, one)).toBe(0);
    system.clock.advance({ days: 3 });
    viewer = await people.signIn(viewer);
    expect(await audience({ seenWithinDays: 2 }, one)).toBe(0);
    await register();
    expect(await audience({ seenWithinDays: 2 }, one)).toBe(1);
  });

  once.it.each([
    [{ platform: 'ios' }, 'deviceToken'],
    [{ deviceToken: 'a b:c', platform: 'ios' }, 'deviceToken'],
    [{ token: 'a:b', platform: 'ios' }, 'deviceToken'],
    [{ deviceToken: 'a:b', platform: 'toaster' }, 'platform'],
    [{ deviceToken: 'a:b', platform: 'ios', userEmail: ' ' }, 'userEmail'],
    [{ deviceToken: 'a:b', platform: 'ios', environment: 'test' }, 'environment'],
  ])('is refused with what cannot be: %j', async (body, path) => {
    const refused = await calls.register(app, body);
    expectError(refused, 400, 'INVALID_REQUEST');
    expect(refused.json.details[0].path).toBe(path);
  });

  once.it('needs the key of an app', async () => {
    const body = { deviceToken: fcmToken(), platform: 'ios' };
    for (const path of ['/api/push/register', '/api/push/opened'])
      expectError(await system.send(post(path, { ...body, notificationId: 'x' })), 401, 'UNAUTHORIZED');
  });
});

describe('an opened push', () => {
  it('is taken, whatever it was and however often', async () => {
    const deviceToken = fcmToken();
    await calls.register(app, { deviceToken, platform: 'android' });
    await system.settled();
    const { notificationId } = (await send({ ...toAll(), target: { deviceTokens: [deviceToken] } })).json;
    const bodies = [
      { notificationId, deviceToken, appId: app.app.id },
      { notificationId, deviceToken },
      { notificationId },
      { notificationId: 'of another service', deviceToken: 'no token at all' },
      { notificationId: randomUUID(), deviceToken: '' },
    ];
    for (const body of bodies) {
      const opened = await calls.opened(app, body);
      expect([opened.status, opened.json]).toEqual([200, { success: true }]);
    }
  });

  it('is counted, for a device that it went to, once', async () => {
    const one = await makeApp();
    const [ours, another] = [fcmToken(), fcmToken()];
    for (const deviceToken of [ours, another]) await calls.register(one, { deviceToken, platform: 'android' });
    await system.settled();
    const { notificationId } = (await send({ ...toAll(one), target: { deviceTokens: [ours] } })).json;
    const ended = async () => {
      const { status, counts } = (await see(notificationId)).json.notification;
      expect(status).toBe('sent');
      return counts;
    };
    // Without provider credentials the push is logged, or it fails.
    const { logged, failed } = await vi.waitFor(ended, { timeout: 10_000, interval: 50 });
    expect(logged + failed).toBe(1);
    for (const deviceToken of [ours, ours, another]) await calls.opened(one, { notificationId, deviceToken });
    expect(await ended()).toMatchObject({ queued: 0, sent: 0, failed, unknown: 0, logged, opened: 1 });
  });

  once.it('says which', async () => {
    for (const body of [{}, { notificationId: '' }, { notificationId: ' ' }, { notificationId: 'x'.repeat(201) }])
      expectError(await calls.opened(app, body), 400, 'INVALID_REQUEST');
  });
});

describe('sending', () => {
  once.it('answers how many devices it is for, and warns where the app would not know where to lead', async () => {
    const one = await makeApp();
    const none = await send(toAll(one));
    expect(none.json).toMatchObject({ success: true, status: expect.any(String), targeted: 0 });
    expect(none.json.warnings).toEqual([
      expect.stringContaining('destinationPath'),
      expect.stringContaining('No device'),
    ]);
    await calls.register(one, { deviceToken: fcmToken(), platform: 'android' });
    await system.settled();
    const sent = await send({ ...toAll(one), destinationPath: '/offers?code=1', metadata: { a: 'b', c: 1, d: false } });
    expect(sent.status, sent.text).toBe(200);
    expect(sent.json).toEqual({
      success: true,
      notificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'sending',
      targeted: 1,
      warnings: [expect.stringContaining('no credentials for Firebase')],
    });
    const seen = (await see(sent.json.notificationId)).json.notification;
    expect(seen).toMatchObject({ id: sent.json.notificationId, appId: one.app.id, targeted: 1 });
    expect(seen.message).toMatchObject({ title: 'Hello', metadata: { a: 'b', c: 1, d: false } });
    const { json } = await viewer.send({ path: `/api/manage/apps/${one.app.id}/notifications` });
    expect(json.notifications.map(({ id }: { id: string }) => id)).toEqual([
      sent.json.notificationId,
      none.json.notificationId,
    ]);
  });

  once.it('is for members of the team, by session or token, and for no SDK key', async () => {
    const keys: Record<string, string>[] = [
      { authorization: `Bearer ${app.key}` },
      { 'x-service-sdk-key': app.key },
      {},
    ];
    for (const headers of keys)
      expectError(await system.send({ ...post('/api/push/send', toAll()), headers }), 401, 'NOT_SIGNED_IN');
    expectError(await send(toAll(), viewer), 403, 'FORBIDDEN');
    // A stranger cannot tell whether a thing exists.
    expectError(await send(toAll(), stranger), 404, 'APP_NOT_FOUND');
    expectError(await send({ ...toAll(), appId: randomUUID() }), 404, 'APP_NOT_FOUND');
    const { notificationId } = (await send(toAll())).json;
    for (const id of [notificationId, randomUUID()])
      expectError(await see(id, stranger), 404, 'NOTIFICATION_NOT_FOUND');
    const write = await people.makeToken(member, teamId, 'write');
    const read = await people.makeToken(member, teamId, 'read');
    const as = ({ token }: { token: string }) =>
      system.send({ ...post('/api/push/send', toAll()), headers: { authorization: `Bearer ${token}` } });
    expect((await as(write)).status).toBe(200);
    expectError(await as(read), 403, 'FORBIDDEN');
    // A request that another site makes the browser send.
    const elsewhere = { ...post('/api/push/send', toAll()), headers: { cookie: member.cookie } };
    expectError(await system.send(elsewhere), 403, 'CROSS_SITE');
  });

  once.it.each([
    [{ metadata: { a: { b: 1 } } }, 'metadata.a', 'nested'],
    [{ metadata: { a: 'x'.repeat(2_000), b: 'x'.repeat(2_000), c: 'x'.repeat(2_000) } }, 'metadata', 'bytes'],
    [{ title: undefined, body: undefined }, 'title', 'or body is required'],
    [{ destinationPath: 'https://evil.example' }, 'destinationPath', ''],
    [{ imageUrl: 'http://cdn.example/a.png' }, 'imageUrl', 'https'],
    [{ imageUrl: 'https://res.cdn.example/demo/fetch//w_300/a.jpg' }, 'imageUrl', 'without //'],
    [{ ios: { imageUrl: 'https://cdn.example/a&b.png' } }, 'ios.imageUrl', '%26'],
    [{ android: { imageUrl: 'https://cdn.example./a.png' }, dryRun: true }, 'android.imageUrl', 'host'],
    [{ badge: -1 }, 'badge', ''],
    [{ collapseKey: 'ü'.repeat(40) }, 'collapseKey', 'bytes'],
    [{ ttlSeconds: 28 * 86_400 + 1 }, 'ttlSeconds', ''],
    [{ scheduleAt: '2036-01-01T00:00:00Z' }, 'scheduleAt', 'year'],
    [{ idempotencyKey: 'a b' }, 'idempotencyKey', ''],
    [{ title: undefined, body: undefined, silent: false }, 'title', 'silent'],
    [{ ios: { channelId: 'offers' } }, 'ios.channelId', 'unknown'],
    [{ ios: { interuptionLevel: 'active' } }, 'ios.interuptionLevel', 'interruptionLevel'],
    [{ localized: { 'de_AT!': { title: 'x' } } }, 'localized.de_AT!', 'language'],
    [{ localized: { 'de-AT': { title: 'x' }, 'de-at': { title: 'y' } } }, 'localized.de-at', 'two spellings'],
    [{ target: {} }, 'target', 'must name the devices'],
    [{ target: { all: false } }, 'target.all', ''],
    [{ target: { all: true, platform: 'ios' } }, 'target.all', 'must be the only field'],
    [{ target: { userEmails: [] } }, 'target.userEmails', ''],
    [{ target: { userEmails: [' '] } }, 'target.userEmails.0', ''],
    [{ target: { userEmails: Array.from({ length: 1_001 }, (_, n) => `${n}`) } }, 'target.userEmails', ''],
    [{ target: { deviceTokens: ['abc'] } }, 'target.deviceTokens.0', ''],
  ])('refuses %j, and says where', async (wrong, path, says) => {
    const refused = await send({ ...toAll(), ...wrong });
    expectError(refused, 400, 'INVALID_REQUEST');
    expect(refused.json.details[0].path).toBe(path);
    expect(refused.json.error).toContain(says);
  });

  once.it('refuses what one platform or language makes too large, and says which', async () => {
    const localized = { de: { title: 'Hallo' }, fi: { body: 'x'.repeat(2_900) } };
    const big = { ...toAll(), metadata: { a: 'x'.repeat(1_000) }, localized };
    const limit = { limit: 4_096, kind: 'fcm', platform: 'ios', language: 'fi' };
    for (const more of [{}, { dryRun: true }]) {
      const refused = await send({ ...big, ...more });
      expectError(refused, 400, 'PUSH_TOO_LARGE');
      expect(refused.json).toMatchObject(limit);
      expect(refused.json.bytes).toBeGreaterThan(4_096);
    }
    expect((await send({ ...big, localized: { de: { title: 'Hallo' } }, dryRun: true })).status).toBe(200);
  });

  once.it('in silence needs no texts, and says what is not sent', async () => {
    const { title, body, ...silent } = { ...toAll(), silent: true };
    expect((await send(silent)).json.warnings ?? []).not.toContainEqual(expect.stringContaining('silent'));
    const warned = await send({ ...silent, title, body, sound: 'default' });
    expect(warned.json.warnings).toContainEqual(
      'A silent push shows nothing. These fields are not sent: title, body, sound.',
    );
  });

  once.it('goes to a thousand people or tokens at once', async () => {
    const deviceTokens = Array.from({ length: 1_000 }, fcmToken);
    expect((await send({ ...toAll(), target: { deviceTokens } })).json).toMatchObject({ success: true, targeted: 0 });
  });

  it('with a key of idempotency happens once', async () => {
    const metadata = { b: 1, a: 2 };
    const push = { ...toAll(), metadata, idempotencyKey: `offer-${randomUUID()}`, scheduleAt: inDays(1) };
    const first = await send(push);
    await calls.register(app, { deviceToken: fcmToken(), platform: 'android' });
    await system.settled();
    expect((await send(push)).json).toEqual(first.json);
    expect((await send({ ...push, metadata: { a: 2, b: 1 } })).json).toEqual(first.json);
    expectError(await send({ ...push, metadata: { a: 1, b: 2 } }), 400, 'IDEMPOTENCY_KEY_REUSED');
    expectError(await send({ ...push, title: 'Other' }), 400, 'IDEMPOTENCY_KEY_REUSED');
    const another = await makeApp();
    const elsewhere = await send({ ...push, appId: another.app.id });
    expect(elsewhere.json.notificationId).not.toBe(first.json.notificationId);
  });

  once.it('can be tried', async () => {
    const one = await makeApp();
    await calls.register(one, { deviceToken: fcmToken(), platform: 'android' });
    await system.settled();
    const tried = await send({ ...toAll(one), destinationPath: '/', dryRun: true });
    const warnings = [expect.stringContaining('no credentials for Firebase')];
    expect(tried.json).toEqual({ success: true, notificationId: null, status: 'dry-run', targeted: 1, warnings });
    expect((await viewer.send({ path: `/api/manage/apps/${one.app.id}/notifications` })).json.notifications).toEqual(
      [],
    );
  });

  it('later can be taken back until then', async () => {
    const scheduleAt = inDays(1).replace('Z', '+00:00');
    const { notificationId, status } = (await send({ ...toAll(), scheduleAt, ttlSeconds: 60 })).json;
    expect(status).toBe('scheduled');
    const sendAt = new Date(scheduleAt).toISOString();
    expect((await see(notificationId)).json.notification).toMatchObject({ status: 'scheduled', sendAt });
    const cancelled = await cancel(notificationId);
    expect(cancelled.json.notification).toMatchObject({ id: notificationId, status: 'cancelled' });
    expect((await see(notificationId)).json.notification).toEqual(cancelled.json.notification);
    expectError(await cancel(notificationId), 409, 'PUSH_BEGUN');
    expectError(await cancel((await send(toAll())).json.notificationId), 409, 'PUSH_BEGUN');
    expectError(await cancel(randomUUID()), 404, 'NOTIFICATION_NOT_FOUND');
    const past = await send({ ...toAll(), scheduleAt: inDays(-1) });
    expect(past.json.status).toBe('sending');
  });
});

once.describe('providers', () => {
  it('are given by admins, and never shown', async () => {
    const one = await makeApp();
    const path = `/api/manage/apps/${one.app.id}/push-providers`;
    const credentials = await fakes.newAppleKey();
    expectError(await member.send(put(`${path}/apns`, credentials)), 403, 'FORBIDDEN');
    const set = await owner.send(put(`${path}/apns`, credentials));
    expect(set.status, set.text).toBe(200);
    const { keyId, teamId, bundleId } = credentials;
    const facts = { keyId, teamId, bundleId, projectId: null, clientEmail: null };
    expect(set.json).toMatchObject({ provider: { kind: 'apns', facts, pausedAt: null }, checked: true });
    const listed = await viewer.send({ path });
    expect(listed.json.providers).toEqual([set.json.provider]);
    for (const { text } of [set, listed]) expect(text).not.toContain('PRIVATE KEY');

    const resumed = await owner.send({ method: 'POST', path: `${path}/apns/resume` });
    expect(resumed.json.provider).toMatchObject({ kind: 'apns', facts });
    const database = connect({ url: system.databaseUrl, max: 1 });
    const rows = await database.rows<{ credentials: string }>('select credentials from push.providers');
    await database.close();
    for (const { credentials: stored } of rows) expect(stored).toMatch(/^v1\./);

    expect((await owner.send(del(`${path}/apns`))).status).toBe(200);
    expectError(await owner.send(del(`${path}/apns`)), 404, 'PROVIDER_NOT_FOUND');
    expectError(await owner.send({ method: 'POST', path: `${path}/apns/resume` }), 404, 'PROVIDER_NOT_FOUND');
  });

  it.each([
    ['fcm', {}, 'type'],
    ['apns', { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', bundleId: 'com.example' }, 'key'],
  ])('of %s are refused with what they lack: %j', async (kind, body, path) => {
    const refused = await owner.send(put(`/api/manage/apps/${app.app.id}/push-providers/${kind}`, body));
    expectError(refused, 400, 'INVALID_REQUEST');
    expect(refused.json.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expectError(
      await owner.send(put(`/api/manage/apps/${app.app.id}/push-providers/web`, body)),
      400,
      'INVALID_REQUEST',
    );
  });
});

once.it('stands in the audit log of the team, between what else was done there', async () => {
  const one = await makeApp();
  const { notificationId } = (await send({ ...toAll(one), scheduleAt: inDays(1) })).json;
  await cancel(notificationId);
  const log = await owner.send({ path: `/api/manage/teams/${teamId}/audit?appId=${one.app.id}` });
  expect(log.json.entries.map(({ action }: { action: string }) => action)).toEqual([
    'CancelPush',
    'SendPush',
    'CreateKey',
    'CreateApp',
  ]);
  const [, sent] = log.json.entries;
  expect(sent).toMatchObject({ subject: notificationId, actorEmail: member.email, after: { title: 'Hello' } });
});
