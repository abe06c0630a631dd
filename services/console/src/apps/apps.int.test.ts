// Apps: their names, settings and plans, who may change them, and the limits for people on an installation.
import { randomUUID } from 'node:crypto';
import { type Actor, FindApp, FindHost, FindKey, KeyChanged } from '@landfall/contracts';
import { sha256 } from '@landfall/http';
import { testLogger } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { DEFAULT_RULES, type Rules } from '../config.ts';
import { type ConsoleFixture, consoleSuite, done, makeApp, makeTeam, refused, toldOf } from '../console.testing.ts';
import { makeIdentitySecret } from '../identity/identity-secrets.ts';
import { createKey, revokeKey } from '../keys/keys.ts';
import { removeLogo } from '../logos/logos.ts';
import { as, join, setUp } from '../people.testing.ts';
import { createApp, listApps, setPlan, transferApp } from './apps.ts';
import { appsOf } from './apps-of.ts';
import { updateApp } from './update-app.ts';

const shop = { name: 'Shop', subdomain: 'shop' };
const update = (fixture: ConsoleFixture, appId: string, change: object) => fixture.ask(updateApp, { appId, ...change });

consoleSuite('apps', (fixture) => {
  it('are made, and found by id and by host', async () => {
    const app = await makeApp(fixture, { subdomain: 'shop' });
    expect(app).toMatchObject({ subdomain: 'shop', version: 1, plan: { name: 'unlimited', linksPerMonth: null } });
    expect(await fixture.bus.ask(FindApp, { appId: app.id })).toEqual({ ok: true, reply: { app } });
    expect(await fixture.bus.ask(FindHost, { host: 'shop' })).toEqual({ ok: true, reply: { app } });
    expect(await refused(fixture.bus.ask(FindHost, { host: 'other' }))).toBe('APP_NOT_FOUND');
    expect(await fixture.parts.lookups.app(app.id)).toEqual(app);
    expect(await fixture.parts.lookups.host('shop')).toEqual(app);
    expect(await fixture.parts.lookups.host('other')).toBeNull();
  });

  it('have no subdomain that another one has or that is reserved', async () => {
    await makeApp(fixture, { subdomain: 'shop' });
    expect(await refused(fixture.ask(createApp, shop))).toBe('SUBDOMAIN_TAKEN');
    for (const subdomain of ['www', 'v6', 'open-shop', 'xn--abc'])
      expect(await refused(fixture.ask(createApp, { ...shop, subdomain }))).toBe('SUBDOMAIN_RESERVED');
    await makeApp(fixture, { subdomain: 'opening' });
    const subdomain = 'required';
    expect(await refused(fixture.ask(createApp, { ...shop, subdomain, identity: 'required' }))).toBe(
      'IDENTITY_SECRET_NEEDED',
    );
  });

  it('get a subdomain once, also when several ask for it at once', async () => {
    const other = await makeApp(fixture);
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => fixture.ask(createApp, shop)),
      update(fixture, other.id, { subdomain: 'shop' }),
    ]);
    expect(answers.map((answer) => answer.ok || answer.refusal.code).toSorted()).toEqual([
      ...Array(3).fill('SUBDOMAIN_TAKEN'),
      true,
    ]);
  });

  it('change what is named and leave the rest', async () => {
    const { id: appId } = await makeApp(fixture);
    await done(update(fixture, appId, { ios: { storeId: '123', teamId: 'ABCDE12345' } }));
    const { app } = await done(
      update(fixture, appId, { name: 'Store', ios: { teamId: null }, matching: { windowMinutes: 5 } }),
    );
    expect(app).toMatchObject({
      name: 'Store',
      version: 3,
      ios: { storeId: '123', teamId: null },
      matching: { windowMinutes: 5, crowdTaps: 50 },
    });
    expect(await fixture.parts.lookups.app(appId)).toMatchObject({ version: 3 });
  });

  it('change at the version that was read, one edit after the other', async () => {
    const { id: appId } = await makeApp(fixture);
    const edit = (name: string, tags: string) => update(fixture, appId, { name, headers: { 'if-match': tags } });
    const answers = await Promise.all(['One', 'Other'].map((name) => edit(name, '"1"')));
    expect(answers.map((answer) => answer.ok || answer.refusal.code).toSorted()).toEqual(['VERSION_MISMATCH', true]);
    expect(await refused(edit('Late', 'W/"2"'))).toBe('VERSION_MISMATCH');
    expect((await done(edit('Third', '"1", "2"'))).app).toMatchObject({ name: 'Third', version: 3 });
  });

  it('keep a subdomain that they gave up', async () => {
    const { id: appId } = await makeApp(fixture, { subdomain: 'shop' });
    await done(update(fixture, appId, { subdomain: 'boutique' }));
    expect(await refused(fixture.ask(createApp, shop))).toBe('SUBDOMAIN_TAKEN');
    expect(await fixture.bus.ask(FindHost, { host: 'shop' })).toMatchObject({
      ok: true,
      reply: { app: { id: appId } },
    });
    expect((await done(update(fixture, appId, { subdomain: 'shop' }))).app.subdomain).toBe('shop');
  });

  it('that do not exist are not changed', async () => {
    const { teamId } = await setUp(fixture);
    const appId = randomUUID();
    for (const answer of [
      update(fixture, appId, {}),
      fixture.ask(setPlan, { appId, name: 'x', linksPerMonth: 1 }),
      fixture.ask(transferApp, { appId, teamId }),
      fixture.ask(createKey, { appId }),
    ])
      expect(await refused(answer)).toBe('APP_NOT_FOUND');
    expect(await fixture.database.rows(`select 1 from account.audit where app_id = $1`, [appId])).toEqual([]);
  });

  it('are archived and brought back, and nothing is deleted', async () => {
    const app = await makeApp(fixture, { subdomain: 'shop' });
    const { id: appId } = app;
    const { plaintext } = await done(fixture.ask(createKey, { appId }));
    const set = async (archived: boolean) => (await done(update(fixture, appId, { archived }))).app;
    const gone = await set(true);
    expect(gone).toMatchObject({ ...app, version: 2, archivedAt: expect.any(String) });
    const { archivedAt } = gone;
    // A second archiving changes only the version. Another edit does not change `archivedAt` either.
    expect(await set(true)).toMatchObject({ archivedAt });
    expect((await done(update(fixture, appId, { name: 'Store' }))).app).toMatchObject({ archivedAt, name: 'Store' });
    // Queries show that the app is archived.
    expect(await fixture.bus.ask(FindKey, { hash: sha256(plaintext) })).toMatchObject({
      reply: { app: { archivedAt } },
    });
    expect(await fixture.bus.ask(FindHost, { host: 'shop' })).toMatchObject({ reply: { app: { archivedAt } } });
    const other = await makeApp(fixture);
    const list = async (archived?: string) =>
      (await done(fixture.ask(listApps, { archived }))).apps.map(({ id }) => id);
    expect(await list()).toEqual([other.id]);
    expect(await list('true')).toEqual([appId]);
    expect(await list('all')).toEqual([other.id, appId]);
    expect((await set(false)).archivedAt).toBeNull();
    expect(await list()).toEqual([other.id, appId]);
  });

  it('are listed newest first, page by page', async () => {
    for (const subdomain of ['a1', 'b1', 'c1']) await makeApp(fixture, { subdomain });
    const first = await done(fixture.ask(listApps, { limit: 2 }));
    expect(first.apps.map((app) => app.subdomain)).toEqual(['c1', 'b1']);
    const second = await done(fixture.ask(listApps, { limit: 2, cursor: first.next }));
    expect(second).toMatchObject({ apps: [{ subdomain: 'a1' }], next: null });
  });

  it('belong to the first team, also those from before it, or to the team that is named', async () => {
    const before = await makeApp(fixture);
    expect(before.teamId).toBeNull();
    const { userId, teamId } = await setUp(fixture);
    expect((await done(fixture.bus.ask(FindApp, { appId: before.id }))).app).toMatchObject({ teamId, version: 2 });
    expect((await makeApp(fixture)).teamId).toBe(teamId);
    const other = await makeTeam(fixture, as(userId));
    expect((await makeApp(fixture, { teamId: other.id })).teamId).toBe(other.id);
    expect(await refused(fixture.ask(createApp, { ...shop, teamId: randomUUID() }))).toBe('TEAM_NOT_FOUND');
    const { apps } = fixture.parts.account;
    const list = (teamIds: string[] | null) => apps.list({ teamIds, archived: false }, 10, null);
    expect(await list(null)).toHaveLength(3);
    expect(await list([other.id])).toHaveLength(1);
    expect(await list([])).toEqual([]);
  });

  it('are changed by admins of their team and nobody else, and their plan by owners of the installation', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const { id: appId } = await makeApp(fixture, { teamId });
    const { key } = await done(fixture.ask(createKey, { appId }));
    const admin = await join(fixture, as(owner), teamId, 'admin@example.com', 'admin');
    const member = await join(fixture, as(owner), teamId, 'member@example.com', 'member');
    const all = (actor: Actor): Promise<{ ok: true; reply: unknown } | { ok: false; refusal: { code: string } }>[] => [
      fixture.ask(updateApp, { actor, appId, name: 'Other' }),
      fixture.ask(createKey, { actor, appId }),
      fixture.ask(revokeKey, { actor, appId, keyId: key.id }),
      fixture.ask(makeIdentitySecret, { actor, appId }),
      fixture.ask(removeLogo, { actor, appId }),
      fixture.ask(createApp, { actor, teamId, name: 'Shop', subdomain: `s${randomUUID().slice(0, 8)}` }),
    ];
    for (const answer of all(as(member))) expect(await refused(answer)).toBe('FORBIDDEN');
    await expect(makeTeam(fixture, as(admin))).rejects.toThrow('FORBIDDEN');
    const unknown = [...Array(5).fill('APP_NOT_FOUND'), 'TEAM_NOT_FOUND'];
    for (const [i, answer] of all(as(randomUUID())).entries()) expect(await refused(answer)).toBe(unknown[i]);
    for (const answer of all(as(admin))) await done(answer);

    const plan = { name: 'small', linksPerMonth: 10 };
    expect(await refused(fixture.ask(setPlan, { actor: as(admin), appId, ...plan }))).toBe('FORBIDDEN');
    // The person who sets up the instance owns it.
    expect((await done(fixture.ask(setPlan, { actor: as(owner), appId, ...plan }))).app.plan).toEqual(plan);
  });

  it('are given to another team by an owner of both, and the log of both says so', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const other = await makeTeam(fixture, as(owner));
    const admin = await join(fixture, as(owner), teamId, 'admin@example.com', 'admin');
    const second = await join(fixture, as(owner), teamId, 'second@example.com', 'owner');
    const { id: appId } = await makeApp(fixture, { teamId });
    const give = (by: string, to: string) => fixture.ask(transferApp, { actor: as(by), appId, teamId: to });
    expect(await refused(give(admin, other.id))).toBe('FORBIDDEN');
    expect(await refused(give(second, other.id))).toBe('TEAM_NOT_FOUND');
    expect(await refused(give(owner, randomUUID()))).toBe('TEAM_NOT_FOUND');
    expect(await refused(give(randomUUID(), other.id))).toBe('APP_NOT_FOUND');
    expect(await done(give(owner, other.id))).toEqual({ teamId: other.id });
    await done(give(owner, other.id));
    const entries = await fixture.database.rows(
      `select team_id, before, after from account.audit where action = 'TransferApp' and subject = $1 order by at, id`,
      [appId],
    );
    const given = { before: { teamId }, after: { teamId: other.id } };
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(
      expect.arrayContaining([
        { team_id: teamId, ...given },
        { team_id: other.id, ...given },
        { team_id: other.id, before: { teamId: other.id }, after: { teamId: other.id } },
      ]),
    );
  });

  it('are made by programs with their own ids, each once, with a key that may be revoked', async () => {
    const { bus, database, clock } = fixture;
    const apps = appsOf({ bus, database, log: testLogger(), now: () => new Date(clock()) });
    const id = randomUUID();
    const app = await apps.make({ id, name: 'Demo', subdomain: 'demo' });
    expect(app).toMatchObject({ id, version: 1 });
    await expect(apps.make({ name: 'Other', subdomain: 'demo' })).rejects.toMatchObject({ code: 'SUBDOMAIN_TAKEN' });
    const wanted = { id: randomUUID(), plaintext: 'ol_of_the_demo', label: 'demo' };
    const key = await apps.giveKey(id, wanted);
    expect(await apps.giveKey(id, wanted)).toEqual(key);
    expect(await fixture.bus.ask(FindKey, { hash: sha256(wanted.plaintext) })).toMatchObject({
      reply: { app: { id } },
    });
    await done(fixture.ask(revokeKey, { appId: id, keyId: key.id }));
    expect((await apps.giveKey(id, wanted)).revokedAt).not.toBeNull();
    expect((await apps.setPlan(id, { name: 'small', linksPerMonth: 1 })).plan.linksPerMonth).toBe(1);
    await fixture.bus.idle();
    expect(toldOf(fixture, KeyChanged)).toHaveLength(2);
  });
});

const few: Rules = {
  ...DEFAULT_RULES,
  TEAM_CREATION: 'anyone',
  MAX_TEAMS_PER_PERSON: 2,
  MAX_APPS_PER_TEAM: 2,
  MAX_FORMER_SUBDOMAINS: 2,
  DEFAULT_PLAN: { name: 'free', linksPerMonth: 10 },
};

consoleSuite(
  'apps on an installation with limits',
  (fixture) => {
    const make = (actor: Actor, teamId: string, subdomain: string) =>
      fixture.ask(createApp, { actor, teamId, name: 'Shop', subdomain });

    /** A person who owns a team, but has no rights on the installation. */
    async function bob() {
      const ada = await setUp(fixture);
      const userId = await join(fixture, as(ada.userId), ada.teamId, 'bob@example.com', 'viewer');
      const { id: teamId } = await makeTeam(fixture, as(userId));
      return { ada, actor: as(userId), teamId };
    }

    it('are so many in a team, also those that were given to it or are archived', async () => {
      const { ada, actor, teamId } = await bob();
      const { app } = await done(make(actor, teamId, 'one'));
      expect(app.plan).toEqual({ name: 'free', linksPerMonth: 10 });
      await done(make(actor, teamId, 'two'));
      await done(update(fixture, app.id, { actor, archived: true }));
      expect(await refused(make(actor, teamId, 'three'))).toBe('TOO_MANY_APPS');
      const other = await makeTeam(fixture, actor);
      const { app: third } = await done(make(actor, other.id, 'three'));
      expect(await refused(fixture.ask(transferApp, { actor, appId: third.id, teamId }))).toBe('TOO_MANY_APPS');
      // The first owner's team has no limit.
      for (const name of ['x1', 'x2', 'x3']) await done(make(as(ada.userId), ada.teamId, name));
    });

    it('are in teams, of which a person owns so many, and an owner of the installation any number', async () => {
      const { ada, actor } = await bob();
      await makeTeam(fixture, actor);
      await expect(makeTeam(fixture, actor)).rejects.toThrow('TOO_MANY_TEAMS');
      for (let i = 0; i < 3; i++) await makeTeam(fixture, as(ada.userId));
    });

    it('are not one too many when two are made at once', async () => {
      const { actor, teamId } = await bob();
      const answers = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => make(actor, teamId, name)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    });

    it('give up so many names, and take each of them back', async () => {
      const { actor, teamId } = await bob();
      const { app } = await done(make(actor, teamId, 'first'));
      const rename = (subdomain: string, by?: Actor) => update(fixture, app.id, { actor: by, subdomain });
      await done(rename('second', actor));
      await done(rename('third', actor));
      expect(await refused(rename('fourth', actor))).toBe('TOO_MANY_SUBDOMAINS');
      await done(rename('first', actor));
      expect(await refused(rename('fourth', actor))).toBe('TOO_MANY_SUBDOMAINS');
      await done(rename('fourth'));
    });
  },
  few,
);
