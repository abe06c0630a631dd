// SDK keys: their kinds, their rotation, and their share of an app's traffic.
import { randomUUID } from 'node:crypto';
import { FindKey, KeyChanged, KeyUsed } from '@landfall/contracts';
import { sha256 } from '@landfall/http';
import { expect, it } from 'vitest';
import { type ConsoleFixture, consoleSuite, done, makeApp, refused, toldOf } from '../console.testing.ts';
import { createKey, getKeyUsage, listKeys, revokeKey, rotateKey } from './keys.ts';

const HOUR_MS = 3_600_000;

const makeKey = (fixture: ConsoleFixture, appId: string, label: string, kind?: 'mobile' | 'server') =>
  done(fixture.ask(createKey, { appId, label, kind }));

const rotate = (fixture: ConsoleFixture, appId: string, keyId: string, overlapSeconds = 3_600) =>
  fixture.ask(rotateKey, { appId, keyId, overlapSeconds });

const find = (fixture: ConsoleFixture, plaintext: string) => fixture.bus.ask(FindKey, { hash: sha256(plaintext) });

consoleSuite('keys', (fixture) => {
  it('are for apps, or for backends', async () => {
    const appId = (await makeApp(fixture)).id;
    expect((await makeKey(fixture, appId, 'a')).key).toMatchObject({
      kind: 'mobile',
      expiresAt: null,
      replacedBy: null,
    });
    const { key, plaintext } = await makeKey(fixture, appId, 'b', 'server');
    expect(plaintext).toMatch(/^ol_[0-9a-f]{32}$/);
    expect(key).toMatchObject({ kind: 'server', hint: `${plaintext.slice(0, 7)}…` });
    expect(await find(fixture, plaintext)).toMatchObject({
      ok: true,
      reply: { kind: 'server', expiresAt: null, app: { id: appId } },
    });
  });

  it('are rotated: one of the same kind takes the place of the old one, which expires after the overlap', async () => {
    const appId = (await makeApp(fixture)).id;
    const old = await makeKey(fixture, appId, 'old', 'server');
    const before = fixture.clock();
    const { key, replaced, plaintext } = await done(rotate(fixture, appId, old.key.id, 60));
    expect(key).toMatchObject({ kind: 'server', label: 'old', expiresAt: null, replacedBy: null });
    expect(replaced).toEqual({ ...old.key, replacedBy: key.id, expiresAt: expect.any(String) });
    const overlap = new Date(replaced.expiresAt!).getTime() - before;
    expect(overlap).toBeGreaterThanOrEqual(60_000);
    expect(overlap).toBeLessThan(61_000);
    expect(await fixture.ask(listKeys, { appId })).toEqual({ ok: true, reply: { keys: [replaced, key] } });
    // FindKey returns both keys. The caller checks the expiry time.
    expect(await find(fixture, old.plaintext)).toMatchObject({
      reply: { keyId: old.key.id, expiresAt: replaced.expiresAt },
    });
    expect(await find(fixture, plaintext)).toMatchObject({ reply: { keyId: key.id } });
    const { expiresAt } = replaced;
    await fixture.bus.idle();
    expect(toldOf(fixture, KeyChanged)).toEqual([
      { appId, keyId: old.key.id, hash: sha256(old.plaintext), revoked: false, expiresAt: null },
      { appId, keyId: key.id, hash: sha256(plaintext), revoked: false, expiresAt: null },
      { appId, keyId: old.key.id, hash: sha256(old.plaintext), revoked: false, expiresAt },
    ]);
    const audit = await fixture.database.rows<{ entry: string }>(
      `select row_to_json(a)::text as entry from account.audit a where action = 'RotateKey'`,
    );
    expect(audit).toHaveLength(1);
    expect(JSON.parse(audit[0]!.entry)).toMatchObject({
      subject: old.key.id,
      app_id: appId,
      before: { label: 'old', expiresAt: null },
      after: { replacedBy: key.id, expiresAt },
    });
    expect(audit[0]!.entry).not.toContain(sha256(plaintext));
  });

  it('are rotated once, and only while they live', async () => {
    const appId = (await makeApp(fixture)).id;
    const old = await makeKey(fixture, appId, 'old');
    const next = await done(rotate(fixture, appId, old.key.id));
    expect(await refused(rotate(fixture, appId, old.key.id))).toBe('KEY_RETIRED');
    await done(fixture.ask(revokeKey, { appId, keyId: next.key.id }));
    expect(await refused(rotate(fixture, appId, next.key.id))).toBe('KEY_RETIRED');
    expect(await refused(find(fixture, next.plaintext))).toBe('KEY_UNKNOWN');
    expect(await find(fixture, old.plaintext)).toMatchObject({ ok: true });
    expect((await done(fixture.ask(listKeys, { appId }))).keys).toHaveLength(2);
  });

  it('are not rotated, nor looked into, by way of another app', async () => {
    const [appId, otherId] = [(await makeApp(fixture)).id, (await makeApp(fixture)).id];
    const { key, plaintext } = await makeKey(fixture, appId, 'key');
    expect(await refused(rotate(fixture, otherId, key.id))).toBe('KEY_NOT_FOUND');
    expect(await refused(rotate(fixture, randomUUID(), key.id))).toBe('APP_NOT_FOUND');
    for (const route of [getKeyUsage, revokeKey])
      expect(await refused(fixture.ask(route, { appId: otherId, keyId: key.id }))).toBe('KEY_NOT_FOUND');
    expect(await find(fixture, plaintext)).toMatchObject({ reply: { expiresAt: null } });
  });

  it('have a share of the traffic of their app: that of the last 24 hours, counted once', async () => {
    const [appId, otherId] = [(await makeApp(fixture)).id, (await makeApp(fixture)).id];
    const [{ key: old }, { key: next }] = [await makeKey(fixture, appId, 'old'), await makeKey(fixture, appId, 'next')];
    const { key: elsewhere } = await makeKey(fixture, otherId, 'elsewhere');
    const usageOf = (appId: string, keyId: string) => fixture.ask(getKeyUsage, { appId, keyId });
    expect(await usageOf(appId, old.id)).toMatchObject({ reply: { requests24h: 0, share24h: null, lastUsedAt: null } });
    const now = fixture.clock();
    const told = ({ id: keyId }: { id: string }, requests: number | undefined, hoursAgo: number, id = randomUUID()) =>
      fixture.bus.tell(KeyUsed, { keyId, requests }, { id, now: new Date(now - hoursAgo * HOUR_MS) });
    const twice = randomUUID();
    await Promise.all([
      told(old, 10, 0, twice),
      told(old, 10, 0, twice),
      told(old, 5, 3),
      // Without a number of requests, as from gateways that do not count them.
      told(old, undefined, 23),
      told(old, 1_000, 25),
      told(next, 48, 1),
      told(elsewhere, 500, 0),
    ]);
    await fixture.bus.idle();
    expect(await usageOf(appId, old.id)).toMatchObject({
      reply: { requests24h: 16, share24h: 0.25, lastUsedAt: new Date(now).toISOString() },
    });
    expect(await usageOf(appId, next.id)).toMatchObject({ reply: { requests24h: 48, share24h: 0.75 } });
    expect(await usageOf(otherId, elsewhere.id)).toMatchObject({ reply: { requests24h: 500, share24h: 1 } });
  });
});
