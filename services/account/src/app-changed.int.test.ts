// Every change of an app sends an AppChanged event with its time zone.
import {
  AddDomain,
  type App,
  AppChanged,
  AppSettings,
  CreateApp,
  CreateTeam,
  type DataOf,
  DeleteTeam,
  MakeIdentitySecret,
  RemoveDomain,
  RemoveIdentitySecret,
  SetPlan,
  TransferApp,
  UpdateApp,
  VerifyDomain,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { as, done, sealer, service, setUp } from './people.testing.ts';

const ZONE = 'Asia/Kathmandu';
const TOKEN = 'a'.repeat(32);

/** The events of the current test, each once. */
let told = new Map<string, DataOf<typeof AppChanged>>();
const watched = (parts: Parameters<typeof service>[0]) => {
  service(parts);
  told = new Map();
  parts.bus.watch(AppChanged, (data) => told.set(`${data.appId} ${data.version}`, data), { onGap() {} });
};

handlerSuite('AppChanged', { service: watched }, (house) => {
  const zones = async () => {
    await house.bus.idle();
    return [...told.values()].map(({ timeZone }) => timeZone);
  };

  it('names the zone that a change sets', async () => {
    const app = await makeApp(house);
    await done(house.bus.ask(UpdateApp, { appId: app.id, settings: { timeZone: 'Europe/Berlin' } }));
    const labelled = await done(house.bus.ask(UpdateApp, { appId: app.id, settings: { labels: ['inviter'] } }));
    expect(labelled.app).toMatchObject({ labels: ['inviter'], timeZone: 'Europe/Berlin' });
    expect(await zones()).toEqual([ZONE, 'Europe/Berlin', 'Europe/Berlin']);
  });

  it('names the zone after every other change', async () => {
    const { id: appId } = await makeApp(house);
    const { userId } = await setUp(house);
    const actor = as(userId);
    const { team } = await done(house.bus.ask(CreateTeam, { actor, name: 'Second' }));
    await done(house.bus.ask(SetPlan, { appId, plan: { name: 'small', linksPerMonth: 10 } }));
    const { domain } = await done(house.bus.ask(AddDomain, { appId, domain: 'go.shop.example', token: TOKEN }));
    await done(house.bus.ask(VerifyDomain, { appId, domainId: domain.id, token: TOKEN }));
    await done(house.bus.ask(RemoveDomain, { appId, domainId: domain.id }));
    const secret = { secret: sealer.seal('identity secret', 'secret'), hint: 'abcd', overlapSeconds: 0 };
    const made = await done(house.bus.ask(MakeIdentitySecret, { actor, appId, ...secret }));
    await done(house.bus.ask(RemoveIdentitySecret, { actor, appId, secretId: made.secret.id }));
    await done(house.bus.ask(TransferApp, { actor, appId, teamId: team.id }));
    await done(house.bus.ask(UpdateApp, { actor, appId, archived: true, settings: {} }));
    await done(house.bus.ask(DeleteTeam, { actor, teamId: team.id, ifVersion: null }));
    // Created, adopted by the first team, and eight changes.
    expect(await zones()).toEqual(Array(10).fill(ZONE));
  });
});

async function makeApp(house: House): Promise<App> {
  const made = { name: 'Shop', subdomain: 'shop', settings: AppSettings.parse({ timeZone: ZONE }) };
  return (await done(house.bus.ask(CreateApp, made))).app;
}
