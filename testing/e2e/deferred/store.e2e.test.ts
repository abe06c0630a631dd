// Tests POST /api/deferred-deep-linking/store: spec 4.6.
// Over Kafka: restores wait for stored links.
import { randomUUID } from 'node:crypto';
import { ANDROID, freshIp, IPHONE, type System, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, expectError, linksOf, newDevice } from '../calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

async function appWithLink() {
  const app = await system.makeApp();
  return { app, link: await system.makeLink(app, '/stored?x=1') };
}

describe('a stored link', () => {
  it('is answered with its id, by which a restore gives it', async () => {
    const { app, link } = await appWithLink();
    const stored = await calls.store(app, { linkId: link.id, userEmail: 'user-1' });
    expect(stored.status).toBe(200);
    expect(stored.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(stored.json).toEqual({ success: true, pendingLinkId: expect.stringMatching(/./) });
    const [item] = (await calls.restore(app, { userEmail: 'user-1' })).json.restoredLinks;
    expect(item).toMatchObject({ pendingLinkId: stored.json.pendingLinkId, linkId: link.id, originalUrl: link.url });
  });

  it('keeps the URL that was clicked, as it was given', async () => {
    const { app, link } = await appWithLink();
    const originalUrl = `${link.url}?a=ü#%zz`;
    await calls.store(app, { linkId: link.id, originalUrl, userEmail: 'user-2' });
    const [item] = (await calls.restore(app, { userEmail: 'user-2' })).json.restoredLinks;
    expect(item.originalUrl).toBe(originalUrl);
    expect(item.original_url).toBe(originalUrl);
  });

  it('counts as a tap at the address when it names nobody', async () => {
    const { app, link } = await appWithLink();
    const ip = freshIp();
    await calls.store(app, { linkId: link.id }, { ip });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  it("records the caller's user agent, which may contradict", async () => {
    const { app, link } = await appWithLink();
    const ip = freshIp();
    const from = (userAgent: string) => ({ ip, headers: { 'user-agent': userAgent } });
    await calls.store(app, { linkId: link.id }, from(IPHONE));
    expect(linksOf(await calls.restore(app, newDevice().body, from(ANDROID)))).toEqual([]);
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  it('is found by the fingerprint that it was stored with, and by no other', async () => {
    const { app, link } = await appWithLink();
    const { body } = newDevice();
    const ip = freshIp();
    await calls.store(app, { linkId: link.id, ...body }, { ip });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
    expect(linksOf(await calls.restore(app, body))).toEqual([link.id]);
  });

  it('is found by its email, and a fingerprint with another email does not get it', async () => {
    const { app, link } = await appWithLink();
    const { body, ip } = newDevice();
    await calls.store(app, { linkId: link.id, userEmail: 'a@example.com', ...body }, { ip });
    expect(linksOf(await calls.restore(app, { ...body, userEmail: 'b@example.com' }, { ip }))).toEqual([]);
    expect(linksOf(await calls.restore(app, { userEmail: 'A@Example.com' }))).toEqual([link.id]);
  });

  it('may be stored twice, and is given once', async () => {
    const { app, link } = await appWithLink();
    const ids = [1, 2].map(
      async () => (await calls.store(app, { linkId: link.id, userEmail: 'user-3' })).json.pendingLinkId,
    );
    expect(new Set(await Promise.all(ids)).size).toBe(2);
    expect(linksOf(await calls.restore(app, { userEmail: 'user-3' }))).toEqual([link.id]);
  });

  it('may be named in any case', async () => {
    const { app, link } = await appWithLink();
    expect((await calls.store(app, { linkId: link.id.toUpperCase() })).status).toBe(200);
  });
});

describe('a link that cannot be stored', () => {
  it('is one that does not exist, or is of another app', async () => {
    const { app } = await appWithLink();
    const foreign = (await appWithLink()).link;
    for (const linkId of [randomUUID(), foreign.id])
      expectError(await calls.store(app, { linkId }), 404, 'LINK_NOT_FOUND');
  });

  it("is not made the app's by a body's appId", async () => {
    const { app } = await appWithLink();
    const other = await appWithLink();
    expectError(await calls.store(app, { linkId: other.link.id, appId: other.app.app.id }), 404, 'LINK_NOT_FOUND');
    expect((await calls.store(other.app, { linkId: other.link.id, appId: app.app.id })).status).toBe(200);
  });

  it('is one that was archived, until it is brought back', async () => {
    const { app, link } = await appWithLink();
    await calls.edit(link.id, { archived: true });
    expectError(await calls.store(app, { linkId: link.id }), 404, 'LINK_NOT_FOUND');
    await calls.edit(link.id, { archived: false });
    expect((await calls.store(app, { linkId: link.id })).status).toBe(200);
  });

  it('is one that has expired', async () => {
    const { app, link } = await appWithLink();
    expect((await calls.store(app, { linkId: link.id })).status).toBe(200);
    await calls.edit(link.id, { expiresAt: new Date(system.clock() + 1_000).toISOString() });
    system.clock.advance({ seconds: 2 });
    expectError(await calls.store(app, { linkId: link.id }), 404, 'LINK_NOT_FOUND');
  });
});

it.each([
  [{}, 'linkId'],
  [{ linkId: null }, 'linkId'],
  [{ linkId: '' }, 'linkId'],
  [{ linkId: 7 }, 'linkId'],
  [{ linkId: 'not-a-uuid' }, 'linkId'],
  [{ originalUrl: 1 }, 'originalUrl'],
  [{ originalUrl: 'x'.repeat(4097) }, 'originalUrl'],
  [{ userEmail: ' ' }, 'userEmail'],
  [{ userEmail: {} }, 'userEmail'],
])('refuses a wrong body, naming the field: %j', async (body, path) => {
  const { app, link } = await appWithLink();
  const answer = await calls.store(app, { ...(path === 'linkId' ? {} : { linkId: link.id }), ...body });
  expectError(answer, 400, 'INVALID_REQUEST');
  expect(answer.json.details[0].path).toBe(path);
});

it('needs a key', async () => {
  const { link } = await appWithLink();
  const sent = { method: 'POST', path: '/api/deferred-deep-linking/store', body: { linkId: link.id } };
  expectError(await system.send(sent), 401, 'UNAUTHORIZED');
});
