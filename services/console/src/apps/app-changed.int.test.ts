// Every change of an app sends an AppChanged event with its time zone.
import { AppChanged, type DataOf } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { consoleSuite, done, makeTeam, toldOf } from '../console.testing.ts';
import { withDns } from '../domains/domains.testing.ts';
import { addDomain, removeDomain, verifyDomain } from '../domains/domains.ts';
import { makeIdentitySecret, removeIdentitySecret } from '../identity/identity-secrets.ts';
import { removeLogo } from '../logos/logos.ts';
import { as, setUp } from '../people.testing.ts';
import { deleteTeam } from '../teams/teams.ts';
import { createApp, setPlan, transferApp } from './apps.ts';
import { updateApp } from './update-app.ts';

const ZONE = 'Asia/Kathmandu';

consoleSuite('AppChanged', (fixture) => {
  const { prove } = withDns(fixture);
  const makeApp = async () =>
    (await done(fixture.ask(createApp, { name: 'Shop', subdomain: 'shop', timeZone: ZONE }))).app;
  const zones = async () => {
    await fixture.bus.idle();
    return (toldOf(fixture, AppChanged) as DataOf<typeof AppChanged>[]).map(({ timeZone }) => timeZone);
  };

  it('names the zone that a change sets', async () => {
    const { id: appId } = await makeApp();
    await done(fixture.ask(updateApp, { appId, timeZone: 'Europe/Berlin' }));
    const labelled = await done(fixture.ask(updateApp, { appId, labels: ['inviter'] }));
    expect(labelled.app).toMatchObject({ labels: ['inviter'], timeZone: 'Europe/Berlin' });
    expect(await zones()).toEqual([ZONE, 'Europe/Berlin', 'Europe/Berlin']);
  });

  it('names the zone after every other change', async () => {
    const { id: appId } = await makeApp();
    const { userId } = await setUp(fixture);
    const actor = as(userId);
    const { id: teamId } = await makeTeam(fixture, actor);
    await done(fixture.ask(setPlan, { appId, name: 'small', linksPerMonth: 10 }));
    const { domain } = await done(fixture.ask(addDomain, { appId, domain: 'go.shop.example' }));
    prove(domain);
    await done(fixture.ask(verifyDomain, { appId, domainId: domain.id }));
    await done(fixture.ask(removeDomain, { appId, domainId: domain.id }));
    const { secret } = await done(fixture.ask(makeIdentitySecret, { actor, appId, overlapSeconds: 0 }));
    await done(fixture.ask(removeIdentitySecret, { actor, appId, secretId: secret.id }));
    await done(fixture.ask(removeLogo, { actor, appId }));
    await done(fixture.ask(transferApp, { actor, appId, teamId }));
    await done(fixture.ask(updateApp, { actor, appId, archived: true }));
    await done(fixture.ask(deleteTeam, { actor, teamId }));
    // Created, adopted by the first team, and nine changes.
    expect(await zones()).toEqual(Array(11).fill(ZONE));
  });
});
