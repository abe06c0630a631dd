// Custom domains: several apps can claim a domain, and one app serves it.
import { randomUUID } from 'node:crypto';
import {
  AddDomain,
  type App,
  AppChanged,
  AppSettings,
  CreateApp,
  type DataOf,
  FindApp,
  FindHost,
  ListAudit,
  ListDomains,
  MAX_DOMAINS,
  RemoveDomain,
  UpdateApp,
  VerifyDomain,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { as, done, join, refused, service, setUp } from './people.testing.ts';

const TOKEN = '3f9a1c7e5b2d4086a1c3e5f7092b4d6e';
const GO = 'go.example.com';

async function makeApp(house: House, subdomain: string, teamId?: string): Promise<App> {
  const made = { name: 'Shop', subdomain, settings: AppSettings.parse({}), ...(teamId && { teamId }) };
  return (await done(house.bus.ask(CreateApp, made))).app;
}

/** The AppChanged events that gateways received in the current test. */
let told: DataOf<typeof AppChanged>[] = [];
const watched = (parts: Parameters<typeof service>[0]) => {
  service(parts);
  told = [];
  parts.bus.watch(AppChanged, (data) => told.push(data), { onGap() {} });
};

handlerSuite('custom domains', { service: watched }, (house) => {
  const add = (appId: string, domain = GO, by = {}) => house.bus.ask(AddDomain, { appId, domain, token: TOKEN, ...by });
  const verify = (appId: string, domainId: string, token = TOKEN, by = {}) =>
    house.bus.ask(VerifyDomain, { appId, domainId, token, ...by });
  const remove = (appId: string, domainId: string, by = {}) => house.bus.ask(RemoveDomain, { appId, domainId, ...by });
  const added = async (appId: string, domain = GO) => (await done(add(appId, domain))).domain;
  const appOn = async (host: string) => {
    const answer = await house.bus.ask(FindHost, { host });
    return answer.ok ? answer.reply.app.id : null;
  };

  it('serve their app once they are verified, and no sooner', async () => {
    const app = await makeApp(house, 'shop');
    const domain = await added(app.id);
    expect(domain).toMatchObject({ appId: app.id, domain: GO, token: TOKEN, verifiedAt: null });
    expect(await done(house.bus.ask(ListDomains, { appId: app.id }))).toEqual({ domains: [domain] });
    expect(await appOn(GO)).toBeNull();
    expect(await refused(verify(app.id, domain.id, '0'.repeat(32)))).toBe('DOMAIN_NOT_FOUND');
    const verified = await done(verify(app.id, domain.id));
    expect(verified.domain).toEqual({ ...domain, verifiedAt: expect.any(String) });
    expect(verified.app).toEqual({ ...app, domains: [GO], version: 2 });
    expect(await appOn(GO)).toBe(app.id);
    expect((await done(house.bus.ask(FindApp, { appId: app.id }))).app).toEqual(verified.app);
    await house.bus.idle();
    expect(told.at(-1)).toEqual({ appId: app.id, version: 2, hosts: [GO, 'shop'], timeZone: 'UTC' });
  });

  it('are verified by the first of those who claim them, and kept from the others until they are removed', async () => {
    const [mine, other] = [await makeApp(house, 'mine'), await makeApp(house, 'other')];
    const [first, second] = [await added(mine.id), await added(other.id)];
    await done(verify(other.id, second.id));
    expect(await refused(verify(mine.id, first.id))).toBe('DOMAIN_TAKEN');
    expect(await refused(add((await makeApp(house, 'third')).id))).toBe('DOMAIN_TAKEN');
    expect(await appOn(GO)).toBe(other.id);
    // The removal of an unverified claim does not affect the app that serves the domain.
    await done(remove(mine.id, first.id));
    expect(await appOn(GO)).toBe(other.id);
    await done(remove(other.id, second.id));
    expect(await appOn(GO)).toBeNull();
    const moved = await added(mine.id);
    await done(verify(mine.id, moved.id));
    expect(await appOn(GO)).toBe(mine.id);
  });

  it('are verified by one only, of two at once', async () => {
    const apps = [await makeApp(house, 'mine'), await makeApp(house, 'other')];
    const claims = await Promise.all(apps.map(({ id }) => added(id)));
    const answers = await Promise.all(claims.map(({ id, appId }) => verify(appId, id)));
    expect(answers.map((answer) => (answer.ok ? 'verified' : answer.refusal.code)).toSorted()).toEqual([
      'DOMAIN_TAKEN',
      'verified',
    ]);
  });

  it('take the place of the subdomain in links when their app says so, until they are removed', async () => {
    const { id: appId } = await makeApp(house, 'shop');
    const primary = (primaryDomain: string | null, ifVersion: number | null = null) =>
      house.bus.ask(UpdateApp, { appId, primaryDomain, ifVersion, settings: {} });
    const domain = await added(appId);
    expect(await refused(primary(GO))).toBe('DOMAIN_NOT_VERIFIED');
    await done(verify(appId, domain.id));
    expect((await done(primary(GO, 2))).app).toMatchObject({ primaryDomain: GO, version: 3 });
    expect(await refused(primary('elsewhere.example'))).toBe('DOMAIN_NOT_VERIFIED');
    await done(remove(appId, domain.id));
    const { app } = await done(house.bus.ask(FindApp, { appId }));
    expect(app).toMatchObject({ domains: [], primaryDomain: null, version: 4 });
    await house.bus.idle();
    // The event lists this host, so that caches that hold it drop it.
    expect(told.at(-1)!.hosts).toEqual([GO, 'shop']);
  });

  it('are bounded, and each is there once', async () => {
    const { id: appId } = await makeApp(house, 'shop');
    for (let n = 0; n < MAX_DOMAINS; n++) await added(appId, `d${n}.example.com`);
    expect(await refused(add(appId, 'd0.example.com'))).toBe('DOMAIN_EXISTS');
    expect(await refused(add(appId))).toBe('TOO_MANY_DOMAINS');
  });

  it('are for admins of their team, and in its audit log', async () => {
    const { userId, teamId } = await setUp(house);
    const member = await join(house, as(userId), teamId, 'bob@example.com', 'member');
    const { id: appId } = await makeApp(house, 'shop', teamId);
    const by = (who: string) => ({ actor: as(who) });
    expect(await refused(add(appId, GO, by(member)))).toBe('FORBIDDEN');
    expect(await refused(add(appId, GO, by(randomUUID())))).toBe('APP_NOT_FOUND');
    const { domain } = await done(add(appId, GO, by(userId)));
    expect(await refused(verify(appId, domain.id, TOKEN, by(member)))).toBe('FORBIDDEN');
    await done(verify(appId, domain.id, TOKEN, by(userId)));
    expect(await refused(remove(appId, domain.id, by(member)))).toBe('FORBIDDEN');
    expect(await refused(remove(appId, domain.id, by(randomUUID())))).toBe('DOMAIN_NOT_FOUND');
    await done(remove(appId, domain.id, by(userId)));
    expect(await refused(remove(appId, domain.id, by(userId)))).toBe('DOMAIN_NOT_FOUND');
    const { entries } = await done(house.bus.ask(ListAudit, { teamId, appId, userId, limit: 10, cursor: null }));
    expect(entries).toMatchObject([
      { action: 'RemoveDomain', subject: domain.id, before: { domain: GO } },
      { action: 'VerifyDomain', subject: domain.id, after: { domain: GO } },
      { action: 'AddDomain', subject: domain.id, after: { domain: GO } },
    ]);
  });
});
