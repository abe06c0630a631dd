// SDK keys: rotation, server keys beside the keys of apps, creation of links in bulk, and the share of the traffic that
// uses a key.
// Over Kafka: gateways wait for changes of keys, and uses of keys are published.
import { randomUUID } from 'node:crypto';
import { freshIp, startSystem, type TestApp } from '@landfall/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callsOf, del, expectError, inOneProcess, newDevice, post, put, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const keysOf = ({ app }: TestApp) => `/api/manage/apps/${app.id}/keys`;
const listed = async (app: TestApp) => (await system.manage({ path: keysOf(app) })).json.keys;

/** Returns the same app with a new server key. */
async function withServerKey(app: TestApp): Promise<TestApp & { keyId: string }> {
  const { json } = await calls.change(post(keysOf(app), { kind: 'server', label: 'backend' }));
  return { app: app.app, key: json.plaintext, keyId: json.key.id };
}

const bulk = (app: TestApp, links: unknown, from: { ip?: string } = {}) =>
  system.sdk(app, { ...from, method: 'POST', path: '/api/links/create-bulk', body: { links } });
const limitOf = ({ headers }: { headers: Record<string, unknown> }) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
});

/**
 * Makes the key known to every gateway. Until a gateway knows the key, its calls count against the limit of their
 * address.
 */
async function meet(server: TestApp): Promise<void> {
  for (let n = 0; n < 4; n++) expect((await calls.create(server, { destination: '/met' })).status).toBe(200);
}

describe('a key that is rotated', () => {
  const rotate = (app: TestApp, keyId: string, body: object) =>
    calls.change(post(`${keysOf(app)}/${keyId}/rotate`, body));

  it('works until the end of the overlap beside the one that takes its place, and no longer', async () => {
    const app = await system.makeApp();
    const [old] = await listed(app);
    await system.makeLink(app);
    const { status, json } = await rotate(app, old.id, { overlapSeconds: 3_600, label: 'next' });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      plaintext: expect.stringMatching(/^ol_[0-9a-f]{32}$/),
      key: { kind: old.kind, label: 'next', expiresAt: null, replacedBy: null },
      replaced: { id: old.id, expiresAt: expect.stringMatching(/Z$/), replacedBy: json.key.id, revokedAt: null },
    });
    expect((await listed(app)).map(({ id }: { id: string }) => id)).toEqual([old.id, json.key.id]);
    const next = { ...app, key: json.plaintext };
    for (const one of [app, next]) expect((await calls.create(one, { destination: '/a' })).status).toBe(200);
    system.clock.advance({ minutes: 59 });
    for (const one of [app, next]) expect((await calls.create(one, { destination: '/a' })).status).toBe(200);
    // The gateway still uses its cached copy of the key. It checks the expiry time in that copy.
    system.clock.advance({ seconds: 61 });
    expectError(await calls.create(app, { destination: '/a' }), 401, 'UNAUTHORIZED');
    expect((await calls.create(next, { destination: '/a' })).status).toBe(200);
    expectError(await rotate(app, old.id, {}), 409, 'KEY_RETIRED');
  });

  once.it('has a day when nothing else is said, at once when it is none, and 30 days at the most', async () => {
    const app = await system.makeApp();
    const [old] = await listed(app);
    for (const body of [{ overlapSeconds: -1 }, { overlapSeconds: 2_592_001 }, { overlapSeconds: 1.5 }])
      expectError(await rotate(app, old.id, body), 400, 'INVALID_REQUEST');
    const before = system.clock();
    const { json } = await rotate(app, old.id, {});
    const overlap = new Date(json.replaced.expiresAt).getTime() - before;
    expect(overlap).toBeGreaterThanOrEqual(86_400_000);
    expect(overlap).toBeLessThan(86_410_000);
    expect(json.key.label).toBe(old.label);
    const next = { ...app, key: json.plaintext };
    expect((await calls.create(next, { destination: '/a' })).status).toBe(200);
    await rotate(app, json.key.id, { overlapSeconds: 0 });
    expectError(await calls.create(next, { destination: '/a' }), 401, 'UNAUTHORIZED');
    expect((await calls.create(app, { destination: '/a' })).status).toBe(200);
  });

  once.it('is one of the app', async () => {
    const [app, other] = [await system.makeApp(), await system.makeApp()];
    const [key] = await listed(other);
    expectError(await rotate(app, key.id, {}), 404, 'KEY_NOT_FOUND');
    expectError(await rotate(app, randomUUID(), {}), 404, 'KEY_NOT_FOUND');
  });
});

describe('a server key', () => {
  once.it('is never accepted where apps ask, and it is said why', async () => {
    const mobile = await system.makeApp();
    const server = await withServerKey(mobile);
    const link = await system.makeLink(mobile);
    const answers = [
      await calls.restore(server, newDevice().body),
      await calls.heartbeat(server, newDevice().body),
      await calls.store(server, { linkId: link.id, userEmail: 'a@example.com' }),
    ];
    for (const answer of answers) {
      expectError(answer, 401, 'MOBILE_KEY_NEEDED');
      expect(answer.json.error).toContain('server key');
    }
    expect((await calls.restore(mobile, { userEmail: 'a@example.com' })).json.count).toBe(0);
  });

  it('creates links within a limit of its own, wherever it comes from', async () => {
    const server = await withServerKey(await system.makeApp());
    const ip = freshIp();
    // No gateway knows the key yet, so the first call counts for its address.
    expect(limitOf(await calls.create(server, { destination: '/a' }, { ip }))).toEqual({ limit: 10, remaining: 9 });
    await meet(server);
    const { limit, remaining } = limitOf(await calls.create(server, { destination: '/a' }, { ip }));
    expect(limit).toBe(600);
    for (let n = 1; n <= 30; n++) {
      const answer = await calls.create(server, { destination: '/a' }, { ip: n % 2 ? ip : freshIp() });
      expect(answer.status).toBe(200);
      expect(limitOf(answer)).toEqual({ limit: 600, remaining: remaining - n });
    }
    // A bulk request counts once for the limit, whatever the number of its links.
    const rows = Array.from({ length: 50 }, () => ({ destination: '/a' }));
    expect(limitOf(await bulk(server, rows, { ip }))).toEqual({ limit: 600, remaining: remaining - 31 });
  });

  it('that begins with many calls at once is not sent away', async () => {
    const server = await withServerKey(await system.makeApp());
    const ip = freshIp();
    const calling = Array.from({ length: 60 }, () => calls.create(server, { destination: '/a' }, { ip }));
    const statuses = (await Promise.all(calling)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  once.it('is limited', async () => {
    const small = await startSystem({ RATE_LIMITS: 'server-create=3' });
    onTestFinished(() => small.stop());
    const app = await small.makeApp();
    const made = await small.manage(post(keysOf(app), { kind: 'server' }));
    const server = { ...app, key: made.json.plaintext };
    const create = () => callsOf(small).create(server, { destination: '/a' });
    for (let n = 0; n < 4; n++) expect((await create()).status).toBe(200);
    expectError(await create(), 429, 'RATE_LIMITED');
    // Calls with app keys do not count for this limit.
    expect((await callsOf(small).create(app, { destination: '/a' })).status).toBe(200);
  });

  once.it('that is none, or is no more, counts for the address', async () => {
    const app = await system.makeApp();
    const server = await withServerKey(app);
    const ip = freshIp();
    const guess = () => ({ ...app, key: `ol_${randomUUID().replaceAll('-', '')}` });
    for (let n = 1; n <= 30; n++)
      expect((await calls.create(guess(), { destination: '/a' }, { ip })).status).toBe(n <= 10 ? 401 : 429);
    // No gateway looks up an unknown key for this address any more: neither a guessed key nor a valid key that the
    // gateway does not know yet.
    expectError(await calls.create(server, { destination: '/a' }, { ip }), 429, 'RATE_LIMITED');
    await meet(server);
    expect((await calls.create(server, { destination: '/a' }, { ip })).status).toBe(200);

    await calls.change(del(`${keysOf(app)}/${server.keyId}`));
    // After a gateway finds the key revoked, it treats the key like a guessed one.
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await calls.create(server, { destination: '/a' }, { ip })).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
  });

  once.it('resolves a link without opening it', async () => {
    const mobile = await system.makeApp();
    const server = await withServerKey(mobile);
    const { slug } = await system.makeLink(mobile);
    const path = `/api/links/get-by-slug?slug=${slug}&appId=${mobile.app.id}`;
    // An app that resolves a link has opened it. The earlier tap of that app then has nothing to restore.
    const restoredAfter = async (by: TestApp) => {
      const ip = freshIp();
      const { url } = await system.makeLink(mobile);
      await calls.tap(url, { ip });
      const bySlug = `/api/links/get-by-slug?slug=${new URL(url).pathname.slice(1)}&appId=${mobile.app.id}`;
      expect((await system.sdk(by, { path: bySlug, ip })).status).toBe(200);
      await system.settled();
      return (await calls.restore(mobile, newDevice().body, { ip })).json.count;
    };
    expect((await system.sdk(server, { path })).status).toBe(200);
    expect(await restoredAfter(mobile)).toBe(0);
    expect(await restoredAfter(server)).toBe(1);
  });
});

describe('links in bulk', () => {
  once.it('are made, each for itself, with an outcome for each in order', async () => {
    const app = await system.makeApp();
    const server = await withServerKey(app);
    const answer = await bulk(server, [
      { destination: '/a', metadata: { n: 1 } },
      { destination: 'https://evil.example/' },
      { destination: '/b?utm_source=mail' },
      { metadata: {} },
      'rubbish',
      { destination: '/c', metadata: { text: 'a\0b' } },
      { destination: '/d', idempotencyKey: 'with space' },
      { destination: '/e', metadata: null },
    ]);
    expect(answer.status).toBe(200);
    const { outcomes, created, failed } = answer.json;
    expect([created, failed]).toEqual([3, 5]);
    expect(outcomes.map(({ success }: { success: boolean }) => success)).toEqual([
      ...[true, false, true, false, false, false, false, true],
    ]);
    expect(outcomes[0].link).toMatchObject({ destination: '/a', metadata: { n: 1 }, url: expect.any(String) });
    expect(outcomes[2].link.metadata).toMatchObject({ destination_full: '/b?utm_source=mail' });
    for (const [at, path] of [
      [1, 'destination'],
      [3, 'destination'],
      [4, 'body'],
      [5, 'metadata.text'],
      [6, 'idempotencyKey'],
    ] as const)
      expect(outcomes[at]).toMatchObject({ code: 'INVALID_REQUEST', error: expect.any(String), details: [{ path }] });
    const { links } = (await system.manage({ path: `/api/manage/apps/${app.app.id}/links` })).json;
    expect(links.map(({ destination }: { destination: string }) => destination).sort()).toEqual([
      '/a',
      '/b?utm_source=mail',
      '/e',
    ]);
    for (const { link } of [outcomes[0], outcomes[7]])
      expect((await calls.resolve({ slug: link.slug, appId: app.app.id })).json.link.id).toBe(link.id);
  });

  it('are a thousand at a time, and fill the quota exactly', async () => {
    const app = await system.makeApp({}, 900);
    const server = await withServerKey(app);
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ destination: `/${n}` }));
    const { status, json } = await bulk(server, rows);
    expect(status).toBe(200);
    expect([json.created, json.failed, json.outcomes.length]).toEqual([900, 100, 1_000]);
    for (const [n, outcome] of json.outcomes.entries()) {
      if (outcome.success) expect(outcome.link.destination).toBe(`/${n}`);
      else
        expect(outcome).toEqual({ success: false, code: 'GENERATED_LINKS_LIMIT_REACHED', error: expect.any(String) });
    }
    const usage = `/api/manage/apps/${app.app.id}/usage`;
    const now = new Date(system.clock()).toISOString().slice(0, 7);
    const used = { success: true, month: now, linksCreated: 900, limit: 900 };
    expect((await system.manage({ path: usage })).json).toEqual(used);
    expect((await system.manage({ path: `${usage}?month=${now}` })).json).toEqual(used);
    expect((await system.manage({ path: `${usage}?month=2020-02` })).json).toMatchObject({ linksCreated: 0 });
    expectError(await system.manage({ path: `${usage}?month=2020-13` }), 400, 'INVALID_REQUEST');
    await calls.change(put(`/api/manage/apps/${app.app.id}/plan`, { name: 'free', linksPerMonth: null }));
    expect((await system.manage({ path: usage })).json).toMatchObject({ linksCreated: 900, limit: null });
  });

  once.it('several calls at once leave nobody without a place', async () => {
    const server = await withServerKey(await system.makeApp());
    await meet(server);
    const rows = Array.from({ length: 250 }, (_, n) => ({ destination: `/${n}` }));
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => bulk(server, rows)));
    expect(answers.map(({ json }) => [json.created, json.failed])).toEqual(Array(6).fill([250, 0]));
  });

  once.it('are the same for the same key: again, in one call, and as made one by one', async () => {
    const server = await withServerKey(await system.makeApp());
    const row = { destination: '/a', idempotencyKey: 'key-1' };
    const first = (await bulk(server, [row, row, { destination: '/b', idempotencyKey: 'key-1' }])).json.outcomes;
    expect(first[1]).toEqual(first[0]);
    expect(first[2]).toMatchObject({ success: false, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await bulk(server, [row])).json.outcomes).toEqual([first[0]]);
    const alone = await calls.create(server, { destination: '/a' }, { headers: { 'idempotency-key': 'key-1' } });
    expect(alone.json.link).toEqual(first[0].link);
  });

  once.it('are for server keys, at most a thousand and 1 MB', async () => {
    const app = await system.makeApp();
    const server = await withServerKey(app);
    const answer = await bulk(app, [{ destination: '/a' }]);
    expectError(answer, 401, 'SERVER_KEY_NEEDED');
    for (const links of [[], Array(1_001).fill({ destination: '/a' }), {}, undefined])
      expectError(await bulk(server, links), 400, 'INVALID_REQUEST');
    const large = (bytes: number) => [{ destination: '/a', idempotencyKey: 'x', more: 'x'.repeat(bytes) }];
    expect((await bulk(server, large(1_000_000))).json).toMatchObject({ created: 1 });
    expectError(await bulk(server, large(1_048_576)), 413, 'BODY_TOO_LARGE');
  });
});

describe('the share of the traffic that comes with a key', () => {
  it('is known before it is revoked, and said with it', async () => {
    const app = await system.makeApp();
    const server = await withServerKey(app);
    const [{ id }] = await listed(app);
    const usage = async (keyId: string) => (await system.manage({ path: `${keysOf(app)}/${keyId}/usage` })).json;
    expect(await usage(id)).toEqual({ success: true, requests24h: 0, share24h: null, lastUsedAt: null });
    for (let n = 0; n < 3; n++) await system.makeLink(app);
    await calls.create(server, { destination: '/a' });
    // This call is refused, so it does not count as use of the key: no app would miss it.
    await calls.restore(server, newDevice().body);
    // Each gateway publishes the uses within a minute with its first use after that minute.
    system.clock.advance({ minutes: 2 });
    for (let n = 0; n < 4; n++) await system.makeLink(app);
    await system.settled();
    const known = async () => (await usage(id)).requests24h + (await usage(server.keyId)).requests24h;
    await expect.poll(known).toBeGreaterThanOrEqual(5);
    const { requests24h, share24h, lastUsedAt } = await usage(id);
    const ofServer = await usage(server.keyId);
    expect(ofServer.requests24h).toBe(1);
    expect(share24h).toBeCloseTo(requests24h / (requests24h + 1));
    expect(lastUsedAt).toEqual(expect.any(String));
    const revoked = await calls.change(del(`${keysOf(app)}/${server.keyId}`));
    const { success: _, ...said } = ofServer;
    expect(revoked.json).toMatchObject({ key: { revokedAt: expect.any(String) }, usage: said });
    expectError(await system.manage({ path: `${keysOf(app)}/${randomUUID()}/usage` }), 404, 'KEY_NOT_FOUND');
  });
});
