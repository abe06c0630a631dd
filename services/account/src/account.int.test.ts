import { createHash, randomUUID } from 'node:crypto';
import {
  type App,
  AppSettings,
  CreateApp,
  CreateKey,
  CreateToken,
  FindApp,
  FindHost,
  FindKey,
  FindToken,
  KeyUsed,
  ListApps,
  ListKeys,
  RevokeKey,
  SetPlan,
  UpdateApp,
} from '@landfall/contracts';
import { createSealer } from '@landfall/runtime';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { type AccountParts, accountService } from './service.ts';

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

async function makeApp(house: House, subdomain = 'shop'): Promise<App> {
  const answer = await house.bus.ask(CreateApp, { name: 'Shop', subdomain, settings: AppSettings.parse({}) });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply.app;
}

const makeKey = (house: House, appId: string, secret: string) =>
  house.bus.ask(CreateKey, { appId, hash: hashOf(secret), hint: 'ol_1234…', label: 'first' });

const sealer = createSealer('a secret of thirty-two characters');
const service = (parts: Omit<AccountParts, 'sealer'>) => accountService({ ...parts, sealer });

handlerSuite('account', { service, lastSeen: ['account.keys.last_used_at'] }, (house) => {
  it('makes an app and finds it by id and by host', async () => {
    const app = await makeApp(house);
    expect(app).toMatchObject({ subdomain: 'shop', version: 1, plan: { linksPerMonth: null } });
    expect(await house.bus.ask(FindApp, { appId: app.id })).toEqual({ ok: true, reply: { app } });
    expect(await house.bus.ask(FindHost, { host: 'shop' })).toEqual({ ok: true, reply: { app } });
    expect(await house.bus.ask(FindHost, { host: 'other' })).toMatchObject({ ok: false });
  });

  it('gives no subdomain twice, and none that is reserved', async () => {
    await makeApp(house);
    await expect(makeApp(house)).rejects.toThrow('SUBDOMAIN_TAKEN');
    await expect(makeApp(house, 'www')).rejects.toThrow('SUBDOMAIN_RESERVED');
    await expect(makeApp(house, 'open-shop')).rejects.toThrow('SUBDOMAIN_RESERVED');
  });

  it('changes what is named and leaves the rest', async () => {
    const { id: appId } = await makeApp(house);
    const ios = { storeId: '123', teamId: 'ABCDE12345' };
    await house.bus.ask(UpdateApp, { appId, settings: { ios } });
    const changed = await house.bus.ask(UpdateApp, {
      appId,
      name: 'Store',
      settings: { ios: { teamId: null }, matching: { windowMinutes: 5 } },
    });
    expect(changed).toMatchObject({
      ok: true,
      reply: {
        app: {
          name: 'Store',
          version: 3,
          ios: { storeId: '123', teamId: null },
          matching: { windowMinutes: 5, crowdTaps: 50 },
        },
      },
    });
  });

  it('keeps a subdomain that was given up for its app', async () => {
    const { id: appId } = await makeApp(house);
    await house.bus.ask(UpdateApp, { appId, subdomain: 'store', settings: {} });
    await expect(makeApp(house)).rejects.toThrow('SUBDOMAIN_TAKEN');
    expect(await house.bus.ask(FindHost, { host: 'shop' })).toMatchObject({ ok: true, reply: { app: { id: appId } } });
    const back = await house.bus.ask(UpdateApp, { appId, subdomain: 'shop', settings: {} });
    expect(back).toMatchObject({ ok: true, reply: { app: { subdomain: 'shop' } } });
  });

  it('refuses to change an app that does not exist', async () => {
    const appId = randomUUID();
    const refused = { ok: false, refusal: { code: 'APP_NOT_FOUND' } };
    expect(await house.bus.ask(UpdateApp, { appId, settings: {} })).toMatchObject(refused);
    expect(await house.bus.ask(SetPlan, { appId, plan: { name: 'x', linksPerMonth: 1 } })).toMatchObject(refused);
    expect(await makeKey(house, appId, 'k')).toMatchObject(refused);
    expect(await house.bus.ask(ListKeys, { appId })).toMatchObject(refused);
  });

  it('knows several live keys, each with its app and plan, until they are revoked', async () => {
    const app = await makeApp(house);
    const first = await makeKey(house, app.id, 'first');
    await makeKey(house, app.id, 'second');
    await house.bus.ask(SetPlan, { appId: app.id, plan: { name: 'small', linksPerMonth: 10 } });
    expect(await house.bus.ask(FindKey, { hash: hashOf('first') })).toMatchObject({
      ok: true,
      reply: { app: { id: app.id, plan: { name: 'small', linksPerMonth: 10 } } },
    });
    if (!first.ok) throw new Error('refused');
    const keyId = first.reply.key.id;
    await house.bus.ask(RevokeKey, { appId: app.id, keyId });
    expect(await house.bus.ask(FindKey, { hash: hashOf('first') })).toMatchObject({ ok: false });
    expect(await house.bus.ask(FindKey, { hash: hashOf('second') })).toMatchObject({ ok: true });
    const listed = await house.bus.ask(ListKeys, { appId: app.id });
    expect(listed).toMatchObject({ ok: true, reply: { keys: [{ id: keyId, hint: 'ol_1234…' }, { revokedAt: null }] } });
  });

  it("does not revoke another app's key", async () => {
    const app = await makeApp(house);
    const other = await makeApp(house, 'other');
    const made = await makeKey(house, app.id, 'first');
    if (!made.ok) throw new Error('refused');
    const answer = await house.bus.ask(RevokeKey, { appId: other.id, keyId: made.reply.key.id });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'KEY_NOT_FOUND' } });
    expect(await house.bus.ask(FindKey, { hash: hashOf('first') })).toMatchObject({ ok: true });
  });

  it('notes when a key was last used, and never an older time', async () => {
    const app = await makeApp(house);
    const made = await makeKey(house, app.id, 'first');
    if (!made.ok) throw new Error('refused');
    const { id: keyId } = made.reply.key;
    await house.bus.tell(KeyUsed, { keyId }, { now: new Date('2026-11-16T00:00:00Z') });
    await house.bus.tell(KeyUsed, { keyId }, { now: new Date('2026-11-15T23:00:00Z') });
    const listed = await house.bus.ask(ListKeys, { appId: app.id });
    expect(listed).toMatchObject({ ok: true, reply: { keys: [{ lastUsedAt: '2026-11-16T00:00:00.000Z' }] } });
  });

  it('stores hashes of secrets and nothing else of them', async () => {
    const app = await makeApp(house);
    await makeKey(house, app.id, 'ol_0123456789abcdef0123456789abcdef');
    await house.bus.ask(CreateToken, { hash: hashOf('lf_secret'), label: 'owner' });
    expect(await house.bus.ask(FindToken, { hash: hashOf('lf_secret') })).toMatchObject({ ok: true });
    expect(await house.bus.ask(FindToken, { hash: hashOf('lf_other') })).toMatchObject({ ok: false });
    const rows = await house.database.rows<{ dump: string }>(
      `select k::text || t::text || c::text as dump from account.keys k, account.tokens t, account.changes c`,
    );
    for (const { dump } of rows) expect(dump).not.toMatch(/0123456789abcdef|lf_secret/);
  });

  it('archives an app and brings it back, and deletes nothing', async () => {
    const app = await makeApp(house);
    const { id: appId } = app;
    await makeKey(house, appId, 'first');
    const set = (archived: boolean) => house.bus.ask(UpdateApp, { appId, archived, settings: {} });
    const gone = await set(true);
    expect(gone).toMatchObject({ ok: true, reply: { app: { ...app, version: 2, archivedAt: expect.any(String) } } });
    const { archivedAt } = (gone as Extract<typeof gone, { ok: true }>).reply.app;
    // A second archiving changes only the version. Another edit does not change `archivedAt` either.
    expect(await set(true)).toMatchObject({ ok: true, reply: { app: { archivedAt } } });
    expect(await house.bus.ask(UpdateApp, { appId, name: 'Store', settings: {} })).toMatchObject({
      ok: true,
      reply: { app: { archivedAt, name: 'Store' } },
    });
    // Queries show that the app is archived.
    expect(await house.bus.ask(FindKey, { hash: hashOf('first') })).toMatchObject({ reply: { app: { archivedAt } } });
    expect(await house.bus.ask(FindHost, { host: 'shop' })).toMatchObject({ reply: { app: { archivedAt } } });
    const other = await makeApp(house, 'other');
    const list = async (archived?: boolean | null) => {
      const answer = await house.bus.ask(ListApps, { archived, limit: 10, cursor: null });
      return answer.ok && answer.reply.apps.map(({ id }) => id);
    };
    expect(await list()).toEqual([other.id]);
    expect(await list(true)).toEqual([appId]);
    expect(await list(null)).toEqual([other.id, appId]);
    expect(await set(false)).toMatchObject({ ok: true, reply: { app: { archivedAt: null } } });
    expect(await list()).toEqual([other.id, appId]);
  });

  it('lists apps newest first, page by page', async () => {
    for (const name of ['a1', 'b1', 'c1']) await makeApp(house, name);
    const first = await house.bus.ask(ListApps, { limit: 2, cursor: null });
    if (!first.ok) throw new Error('refused');
    expect(first.reply.apps.map((app) => app.subdomain)).toEqual(['c1', 'b1']);
    const second = await house.bus.ask(ListApps, { limit: 2, cursor: first.reply.next });
    expect(second).toMatchObject({ ok: true, reply: { apps: [{ subdomain: 'a1' }], next: null } });
  });
});
