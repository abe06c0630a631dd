// The client for servers, against the product.
import { randomUUID } from 'node:crypto';
import { identityToken, Landfall, LandfallError, Management } from '@landfall/node';
import { freshIp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { fcmToken, linksOf, newDevice, patch, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
// Tokens are signed with the clock of this machine.
system.clock.advance({ ms: Date.now() - system.clock() });
const url = `http://127.0.0.1:${system.port}/`;
const management = new Management({ url, token: system.ownerToken });

/** Sends requests from an address of their own, because limits count by address. */
function fromElsewhere(): typeof fetch {
  const ip = freshIp();
  return (input, init) => fetch(input, { ...init, headers: { ...init?.headers, 'x-forwarded-for': ip } });
}

/** Returns an app with the client of its backend. */
async function backend(options: Partial<ConstructorParameters<typeof Landfall>[0]> = {}) {
  const app = await system.makeApp({ ios: { bundleId: 'com.example.shop' } });
  const appId = app.app.id;
  const made = await management.request('POST', '/api/manage/apps/{appId}/keys', {
    path: { appId },
    body: { kind: 'server' },
  });
  await system.settled();
  const key = made.plaintext;
  return { app, appId, key, landfall: new Landfall({ url, key, fetch: fromElsewhere(), ...options }) };
}

async function refused(call: Promise<unknown>): Promise<LandfallError> {
  const error = await call.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LandfallError);
  return error as LandfallError;
}

describe('links', () => {
  it('are made, and say what they say', async () => {
    const { app, landfall } = await backend();
    const link = await landfall.links.create({ destination: '/invite?code=42', metadata: { inviter: 'ann' } });
    expect(link).toMatchObject({ destination: '/invite?code=42', metadata: { inviter: 'ann', created_via: 'sdk' } });
    const found = { linkId: link.id, destination: '/invite?code=42', path: '/invite' };
    const parameters = { inviter: 'ann', code: '42' };
    expect(await landfall.links.resolve(`${link.url}?utm_source=x`)).toMatchObject({ ...found, parameters });
    expect(await landfall.links.resolve(`${link.url}x`)).toBeNull();
    expect(await landfall.links.resolve(`http://nobody.links.test/${link.slug}`)).toBeNull();
    const tapped = await calls.tap(link.url);
    expect(tapped.status).toBe(200);
    expect(tapped.text).toContain(app.app.name);
  });

  it('are made once, when an answer is lost', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (lost++ > 0) return answer;
      throw new TypeError('fetch failed');
    };
    const { appId, landfall } = await backend({ fetch: losing });
    const link = await landfall.links.create({ destination: '/once' });
    expect(lost).toBe(2);
    const ids: string[] = [];
    for await (const { id } of management.list('/api/manage/apps/{appId}/links', { path: { appId } })) ids.push(id);
    expect(ids).toEqual([link.id]);
  });

  it('are refused with the fields, a code and the id of the request', async () => {
    const { landfall } = await backend();
    const error = await refused(landfall.links.create({ destination: 'invite' }));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400, faults: [{ path: 'destination' }] });
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const unknown = new Landfall({ url, key: `ol_${'0'.repeat(32)}` });
    expect(await refused(unknown.links.create({ destination: '/a' }))).toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
    });
  });

  it('are refused for too many calls, and the error says for how long', async () => {
    const { key } = await system.makeApp();
    const { links } = new Landfall({ url, key, retryForSeconds: 0, fetch: fromElsewhere() });
    const made = Array.from({ length: 11 }, () => links.create({ destination: '/a' }));
    const [failed] = (await Promise.allSettled(made)).filter(({ status }) => status === 'rejected');
    expect((failed as PromiseRejectedResult).reason).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect((failed as PromiseRejectedResult).reason.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('are made in bulk: one wrong row stops no other, and a repeat makes none twice', async () => {
    const { appId, landfall } = await backend();
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      destination: n === 1_100 ? 'wrong' : `/n/${n}`,
      idempotencyKey: `row-${n}`,
    }));
    const outcomes = await landfall.links.createMany(rows);
    expect(outcomes.map((one) => one.success && one.link.destination)).toEqual(
      rows.map(({ destination }) => destination !== 'wrong' && destination),
    );
    expect(outcomes[1_100]).toMatchObject({
      idempotencyKey: 'row-1100',
      error: { code: 'INVALID_REQUEST', faults: [{ path: 'destination' }] },
    });
    const again = await landfall.links.createMany(rows.slice(0, 10));
    expect(again).toEqual(outcomes.slice(0, 10));
    let listed = 0;
    for await (const _ of management.list('/api/manage/apps/{appId}/links', { path: { appId } })) listed++;
    expect(listed).toBe(1_199);
  });

  it('are not made in bulk with the key of an app', async () => {
    const { key } = await system.makeApp();
    const { links } = new Landfall({ url, key, fetch: fromElsewhere() });
    expect(await refused(links.createMany([{ destination: '/a' }]))).toMatchObject({ code: 'SERVER_KEY_NEEDED' });
  });
});

describe('the management API', () => {
  it('reads and changes an app', async () => {
    const { appId } = await backend();
    const path = { appId };
    const changed = await management.request('PATCH', '/api/manage/apps/{appId}', { path, body: { name: 'Renamed' } });
    expect(changed.app.name).toBe('Renamed');
    await system.settled();
    expect((await management.request('GET', '/api/manage/apps/{appId}', { path })).app.name).toBe('Renamed');
    const error = await refused(
      management.request('GET', '/api/manage/apps/{appId}', { path: { appId: randomUUID() } }),
    );
    expect(error).toMatchObject({ code: 'APP_NOT_FOUND', status: 404 });
  });

  it('reads a list over its pages, and exports it', async () => {
    const { appId, landfall } = await backend();
    for (const n of [1, 2, 3, 4, 5]) await landfall.links.create({ destination: `/${n}` });
    const path = { appId };
    const destinations: string[] = [];
    const list = management.list('/api/manage/apps/{appId}/links', { path, query: { limit: 2 } });
    for await (const { destination } of list) destinations.push(destination);
    expect(destinations).toEqual(['/5', '/4', '/3', '/2', '/1']);
    const csv = await management.request('GET', '/api/manage/apps/{appId}/links/export', { path });
    expect(csv.trim().split('\n')).toHaveLength(6);
  });

  it('sends a push once for a key', async () => {
    const { app, appId } = await backend();
    await calls.register(app, { deviceToken: fcmToken(), platform: 'android' });
    await system.settled();
    const push = { title: 'Hello', destinationPath: '/offer', target: { all: true as const } };
    const first = await management.push.send(appId, push, { idempotencyKey: 'offer-1' });
    expect(first).toMatchObject({ targeted: 1, notificationId: expect.any(String) });
    const again = await management.push.send(appId, push, { idempotencyKey: 'offer-1' });
    expect(again.notificationId).toBe(first.notificationId);
    const tried = await management.push.send(appId, { ...push, dryRun: true });
    expect(tried).toMatchObject({ status: 'dry-run', notificationId: null });
    expect((await management.push.send(appId, push)).notificationId).not.toBe(first.notificationId);
  });
});

it('signs users in a way that Landfall believes', async () => {
  const { app, appId, landfall } = await backend();
  const made = await system.manage(post(`/api/manage/apps/${appId}/identity-secrets`, {}));
  await system.settled();
  await calls.change(patch(`/api/manage/apps/${appId}`, { identity: 'required' }));
  const { id: linkId } = await landfall.links.create({ destination: '/mine' });
  const token = await identityToken(made.json.plaintext, 'ann@example.com');
  await calls.store(app, { linkId, identityToken: token });
  await system.settled();
  const { body, ip } = newDevice();
  const restore = (identityToken: string) => calls.restore(app, { ...body, identityToken }, { ip });
  const stranger = await restore(await identityToken('another secret', 'ann@example.com'));
  expect(stranger.json.code).toBe('IDENTITY_TOKEN_INVALID');
  expect(linksOf(await restore(token))).toEqual([linkId]);
});
