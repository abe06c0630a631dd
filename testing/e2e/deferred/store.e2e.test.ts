// Tests POST /api/deferred-deep-linking/store: spec 4.6.
// Over Kafka: restores wait for stored links.
import { randomUUID } from 'node:crypto';
import { freshIp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, inOneProcess, linksOf, newDevice, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

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

  it('counts as a tap at the address when it names nobody', async () => {
    const { app, link } = await appWithLink();
    const ip = freshIp();
    await calls.store(app, { linkId: link.id }, { ip });
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([link.id]);
  });

  once.it('is found by its email, and a fingerprint with another email does not get it', async () => {
    const { app, link } = await appWithLink();
    const { body, ip } = newDevice();
    await calls.store(app, { linkId: link.id, userEmail: 'a@example.com', ...body }, { ip });
    expect(linksOf(await calls.restore(app, { ...body, userEmail: 'b@example.com' }, { ip }))).toEqual([]);
    expect(linksOf(await calls.restore(app, { userEmail: 'A@Example.com' }))).toEqual([link.id]);
  });
});

once.describe('a link that cannot be stored', () => {
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
});

once.it.each([
  [{}, 'linkId'],
  [{ linkId: 'not-a-uuid' }, 'linkId'],
  [{ originalUrl: 'x'.repeat(4097) }, 'originalUrl'],
  [{ userEmail: ' ' }, 'userEmail'],
])('refuses a wrong body, naming the field: %j', async (body, path) => {
  const { app, link } = await appWithLink();
  const answer = await calls.store(app, { ...(path === 'linkId' ? {} : { linkId: link.id }), ...body });
  expectError(answer, 400, 'INVALID_REQUEST');
  expect(answer.json.details[0].path).toBe(path);
});

once.it('needs a key', async () => {
  const { link } = await appWithLink();
  const sent = post('/api/deferred-deep-linking/store', { linkId: link.id });
  expectError(await system.send(sent), 401, 'UNAUTHORIZED');
});
