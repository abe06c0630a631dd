// SDK keys: their kinds, their rotation, and their share of an app's traffic.
import { createHash, randomUUID } from 'node:crypto';
import {
  AppSettings,
  CreateApp,
  CreateKey,
  FindKey,
  FindKeyUsage,
  type Key,
  KeyChanged,
  type KeyKind,
  KeyUsed,
  ListKeys,
  RevokeKey,
  RotateKey,
} from '@landfall/contracts';
import { createSealer } from '@landfall/runtime';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { deleteExpired } from './retention.ts';
import { type AccountParts, accountService } from './service.ts';

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');
const HOUR_MS = 3_600_000;

async function makeApp(house: House): Promise<string> {
  const subdomain = `t${randomUUID().slice(0, 8)}`;
  const answer = await house.bus.ask(CreateApp, { name: 'Shop', subdomain, settings: AppSettings.parse({}) });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply.app.id;
}

async function makeKey(house: House, appId: string, secret: string, kind?: KeyKind): Promise<Key> {
  const asked = { appId, hash: hashOf(secret), hint: 'ol_1234…', label: secret };
  const answer = await house.bus.ask(CreateKey, { ...asked, ...(kind && { kind }) });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply.key;
}

const rotate = (house: House, appId: string, keyId: string, secret: string, overlapSeconds = 3_600) =>
  house.bus.ask(RotateKey, { appId, keyId, hash: hashOf(secret), hint: 'ol_5678…', label: null, overlapSeconds });

const usageOf = async (house: House, appId: string, keyId: string) =>
  (await house.bus.ask(FindKeyUsage, { appId, keyId })) as { ok: true; reply: object };

const sealer = createSealer('a secret of thirty-two characters');
/** The KeyChanged events. */
const changed: object[] = [];
const service = (parts: Omit<AccountParts, 'sealer'>) => {
  parts.bus.watch(KeyChanged, (data) => changed.push(data), { onGap() {} });
  accountService({ ...parts, sealer });
};

handlerSuite('keys', { service, lastSeen: ['account.keys.last_used_at'] }, (house) => {
  it('are for apps, or for backends', async () => {
    const appId = await makeApp(house);
    expect(await makeKey(house, appId, 'a')).toMatchObject({ kind: 'mobile', expiresAt: null, replacedBy: null });
    expect(await makeKey(house, appId, 'b', 'server')).toMatchObject({ kind: 'server' });
    expect(await house.bus.ask(FindKey, { hash: hashOf('b') })).toMatchObject({
      ok: true,
      reply: { kind: 'server', expiresAt: null, app: { id: appId } },
    });
  });

  it('are rotated: one of the same kind takes the place of the old one, which expires after the overlap', async () => {
    changed.length = 0;
    const appId = await makeApp(house);
    const old = await makeKey(house, appId, 'old', 'server');
    const before = house.clock();
    const answer = await rotate(house, appId, old.id, 'next', 60);
    if (!answer.ok) throw new Error(answer.refusal.code);
    const { key, replaced } = answer.reply;
    expect(key).toMatchObject({ kind: 'server', label: 'old', hint: 'ol_5678…', expiresAt: null, replacedBy: null });
    expect(replaced).toEqual({ ...old, replacedBy: key.id, expiresAt: expect.any(String) });
    const overlap = new Date(replaced.expiresAt!).getTime() - before;
    expect(overlap).toBeGreaterThanOrEqual(60_000);
    expect(overlap).toBeLessThan(61_000);
    expect(await house.bus.ask(ListKeys, { appId })).toEqual({ ok: true, reply: { keys: [replaced, key] } });
    // FindKey returns both keys. The caller checks the expiry time.
    expect(await house.bus.ask(FindKey, { hash: hashOf('old') })).toMatchObject({
      reply: { keyId: old.id, expiresAt: replaced.expiresAt },
    });
    expect(await house.bus.ask(FindKey, { hash: hashOf('next') })).toMatchObject({ reply: { keyId: key.id } });
    const about = { appId, revoked: false };
    expect(changed).toContainEqual({ ...about, keyId: key.id, hash: hashOf('next'), expiresAt: null });
    const expiresAt = replaced.expiresAt;
    expect(changed).toContainEqual({ ...about, keyId: old.id, hash: hashOf('old'), expiresAt });
    const audit = await house.database.rows<{ entry: string }>(
      `select row_to_json(a)::text as entry from account.audit a where action = 'RotateKey'`,
    );
    expect(audit).toHaveLength(1);
    expect(JSON.parse(audit[0]!.entry)).toMatchObject({
      subject: old.id,
      app_id: appId,
      before: { label: 'old', expiresAt: null },
      after: { replacedBy: key.id, expiresAt },
    });
    expect(audit[0]!.entry).not.toContain(hashOf('next'));
  });

  it('are rotated once, and only while they live', async () => {
    const appId = await makeApp(house);
    const old = await makeKey(house, appId, 'old');
    const next = await rotate(house, appId, old.id, 'next');
    if (!next.ok) throw new Error(next.refusal.code);
    const retired = { ok: false, refusal: { code: 'KEY_RETIRED' } };
    expect(await rotate(house, appId, old.id, 'other')).toMatchObject(retired);
    const { id } = next.reply.key;
    await house.bus.ask(RevokeKey, { appId, keyId: id });
    expect(await rotate(house, appId, id, 'other')).toMatchObject(retired);
    expect(await house.bus.ask(FindKey, { hash: hashOf('other') })).toMatchObject({ ok: false });
  });

  it('are not rotated, nor looked into, by way of another app', async () => {
    const [appId, otherId] = [await makeApp(house), await makeApp(house)];
    const key = await makeKey(house, appId, 'key');
    const refused = { ok: false, refusal: { code: 'KEY_NOT_FOUND' } };
    expect(await rotate(house, otherId, key.id, 'next')).toMatchObject(refused);
    expect(await rotate(house, randomUUID(), key.id, 'next')).toMatchObject(refused);
    expect(await house.bus.ask(FindKeyUsage, { appId: otherId, keyId: key.id })).toMatchObject(refused);
    expect(await house.bus.ask(FindKey, { hash: hashOf('key') })).toMatchObject({ reply: { expiresAt: null } });
  });

  it('have a share of the traffic of their app: that of the last 24 hours, counted once', async () => {
    const [appId, otherId] = [await makeApp(house), await makeApp(house)];
    const [old, next] = [await makeKey(house, appId, 'old'), await makeKey(house, appId, 'next')];
    const elsewhere = await makeKey(house, otherId, 'elsewhere');
    expect(await usageOf(house, appId, old.id)).toMatchObject({
      reply: { requests24h: 0, share24h: null, lastUsedAt: null },
    });
    const now = house.clock();
    const told = (key: Key, requests: number | undefined, hoursAgo: number) =>
      house.bus.tell(KeyUsed, { keyId: key.id, requests }, { now: new Date(now - hoursAgo * HOUR_MS) });
    await Promise.all([
      told(old, 10, 0),
      told(old, 5, 3),
      // Without a number of requests, as from gateways that do not count them.
      told(old, undefined, 23),
      told(old, 1_000, 25),
      told(next, 48, 1),
      told(elsewhere, 500, 0),
    ]);
    expect(await usageOf(house, appId, old.id)).toMatchObject({
      reply: { requests24h: 16, share24h: 0.25, lastUsedAt: new Date(now).toISOString() },
    });
    expect(await usageOf(house, appId, next.id)).toMatchObject({ reply: { requests24h: 48, share24h: 0.75 } });
    expect(await usageOf(house, otherId, elsewhere.id)).toMatchObject({ reply: { requests24h: 500, share24h: 1 } });
  });

  it('have counts for 30 days', async () => {
    const now = house.clock();
    for (const days of [0, 29, 31]) {
      const at = new Date(now - days * 24 * HOUR_MS);
      await house.database.rows('insert into account.key_uses (key_id, hour, requests) values ($1, $2, 1)', [
        randomUUID(),
        at,
      ]);
      await house.database.rows('insert into account.counted_uses (message_id, at) values ($1, $2)', [
        randomUUID(),
        at,
      ]);
    }
    const deleted = () => deleteExpired(house.database, new Date(now), { auditDays: 365 });
    expect(await deleted()).toMatchObject({ keyUses: 1, countedUses: 1 });
    expect(await deleted()).toMatchObject({ keyUses: 0, countedUses: 0 });
  });
});
