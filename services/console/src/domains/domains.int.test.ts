// Custom domains: several apps can claim a domain, and one app serves it.
import { randomUUID } from 'node:crypto';
import { AppChanged, type DataOf, FindApp, FindHost } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { updateApp } from '../apps/update-app.ts';
import { consoleSuite, done, makeApp, refused, toldOf } from '../console.testing.ts';
import { as, join, setUp } from '../people.testing.ts';
import { withDns } from './domains.testing.ts';
import { addDomain, listDomains, MAX_DOMAINS, removeDomain, verifyDomain } from './domains.ts';
import { verifyWaiting } from './verify-waiting.ts';

const GO = 'go.example.com';

consoleSuite('custom domains', (fixture) => {
  const { prove } = withDns(fixture);
  const add = (appId: string, domain = GO, by = {}) => fixture.ask(addDomain, { appId, domain, ...by });
  const verify = (appId: string, domainId: string, by = {}) => fixture.ask(verifyDomain, { appId, domainId, ...by });
  const remove = (appId: string, domainId: string, by = {}) => fixture.ask(removeDomain, { appId, domainId, ...by });
  /** Adds a domain with its record in DNS. */
  const added = async (appId: string, domain = GO) => {
    const { domain: claim } = await done(add(appId, domain));
    prove(claim);
    return claim;
  };
  const appOn = async (host: string) => {
    const answer = await fixture.bus.ask(FindHost, { host });
    return answer.ok ? answer.reply.app.id : null;
  };
  const lastHosts = async () => {
    await fixture.bus.idle();
    return (toldOf(fixture, AppChanged) as DataOf<typeof AppChanged>[]).at(-1)!.hosts.toSorted();
  };

  it('serve their app once they are verified, and no sooner', async () => {
    const app = await makeApp(fixture, { subdomain: 'shop' });
    const { domain } = await done(add(app.id));
    expect(domain).toMatchObject({ appId: app.id, domain: GO, verifiedAt: null });
    expect(domain.record).toMatchObject({ name: `_landfall.${GO}`, value: expect.stringMatching(/=[0-9a-f]{32}$/) });
    expect(await done(fixture.ask(listDomains, { appId: app.id }))).toEqual({ domains: [domain] });
    expect(await refused(verify(app.id, domain.id))).toBe('DOMAIN_UNPROVEN');
    expect(await refused(verify(app.id, randomUUID()))).toBe('DOMAIN_NOT_FOUND');
    expect(await appOn(GO)).toBeNull();
    prove(domain);
    const verified = await done(verify(app.id, domain.id));
    expect(verified.domain).toEqual({ ...domain, verifiedAt: expect.any(String) });
    expect(await appOn(GO)).toBe(app.id);
    expect((await done(fixture.bus.ask(FindApp, { appId: app.id }))).app).toEqual({
      ...app,
      domains: [GO],
      version: 2,
    });
    expect(await lastHosts()).toEqual([GO, 'shop']);
    // A second verification changes nothing.
    expect(await done(verify(app.id, domain.id))).toEqual(verified);
    expect((await done(fixture.bus.ask(FindApp, { appId: app.id }))).app.version).toBe(2);
  });

  it('are verified by the first of those who claim them, and kept from the others until they are removed', async () => {
    const [mine, other] = [await makeApp(fixture), await makeApp(fixture)];
    const [first, second] = [await added(mine.id), await added(other.id)];
    await done(verify(other.id, second.id));
    expect(await refused(verify(mine.id, first.id))).toBe('DOMAIN_TAKEN');
    expect(await refused(add((await makeApp(fixture)).id))).toBe('DOMAIN_TAKEN');
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
    const apps = [await makeApp(fixture), await makeApp(fixture)];
    const claims = await Promise.all(apps.map(({ id }) => added(id)));
    const answers = await Promise.all(claims.map(({ id, appId }) => verify(appId, id)));
    expect(answers.map((answer) => (answer.ok ? 'verified' : answer.refusal.code)).toSorted()).toEqual([
      'DOMAIN_TAKEN',
      'verified',
    ]);
  });

  it('take the place of the subdomain in links when their app says so, until they are removed', async () => {
    const { id: appId } = await makeApp(fixture, { subdomain: 'shop' });
    const primary = (primaryDomain: string) => fixture.ask(updateApp, { appId, primaryDomain });
    const domain = await added(appId);
    expect(await refused(primary(GO))).toBe('DOMAIN_NOT_VERIFIED');
    await done(verify(appId, domain.id));
    expect((await done(primary(GO))).app).toMatchObject({ primaryDomain: GO, version: 3 });
    expect(await refused(primary('elsewhere.example'))).toBe('DOMAIN_NOT_VERIFIED');
    await done(remove(appId, domain.id));
    const { app } = await done(fixture.bus.ask(FindApp, { appId }));
    expect(app).toMatchObject({ domains: [], primaryDomain: null, version: 4 });
    // The event lists this host, so that caches that hold it drop it.
    expect(await lastHosts()).toEqual([GO, 'shop']);
  });

  it('are verified when their record comes, while nobody looks', async () => {
    const [mine, other] = [await makeApp(fixture), await makeApp(fixture)];
    const { domain: waiting } = await done(add(mine.id));
    await verifyWaiting(fixture.parts);
    expect(await appOn(GO)).toBeNull();
    prove(waiting);
    const taken = await added(other.id, 'www.example.com');
    const late = await added(mine.id, 'www.example.com');
    await done(verify(other.id, taken.id));
    await verifyWaiting(fixture.parts);
    expect(await appOn(GO)).toBe(mine.id);
    expect(await lastHosts()).toContain(GO);
    const { domains } = await done(fixture.ask(listDomains, { appId: mine.id }));
    expect(domains.find(({ id }) => id === late.id)).toMatchObject({ verifiedAt: null });
  });

  it('are bounded, and each is there once', async () => {
    const { id: appId } = await makeApp(fixture, { subdomain: 'shop' });
    for (let n = 0; n < MAX_DOMAINS; n++) await added(appId, `d${n}.example.com`);
    expect(await refused(add(appId, 'd0.example.com'))).toBe('DOMAIN_EXISTS');
    expect(await refused(add(appId))).toBe('TOO_MANY_DOMAINS');
  });

  it('are for admins of their team, and in its audit log', async () => {
    const { userId, teamId } = await setUp(fixture);
    const member = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const { id: appId } = await makeApp(fixture, { teamId });
    const by = (who: string) => ({ actor: as(who) });
    expect(await refused(add(appId, GO, by(member)))).toBe('FORBIDDEN');
    expect(await refused(add(appId, GO, by(randomUUID())))).toBe('APP_NOT_FOUND');
    const { domain } = await done(add(appId, GO, by(userId)));
    prove(domain);
    expect(await refused(verify(appId, domain.id, by(member)))).toBe('FORBIDDEN');
    await done(verify(appId, domain.id, by(userId)));
    expect(await refused(remove(appId, domain.id, by(member)))).toBe('FORBIDDEN');
    expect(await refused(remove(appId, domain.id, by(randomUUID())))).toBe('APP_NOT_FOUND');
    await done(remove(appId, domain.id, by(userId)));
    expect(await refused(remove(appId, domain.id, by(userId)))).toBe('DOMAIN_NOT_FOUND');
    const entries = await fixture.database.rows(
      `select action, subject, before, after from account.audit
       where team_id = $1 and app_id = $2 and actor_user_id = $3 order by at`,
      [teamId, appId, userId],
    );
    expect(entries).toMatchObject([
      { action: 'AddDomain', subject: domain.id, after: { domain: GO } },
      { action: 'VerifyDomain', subject: domain.id, after: { domain: GO } },
      { action: 'RemoveDomain', subject: domain.id, before: { domain: GO } },
    ]);
  });
});
