// The regular checks of association files: each app is due once, and a change of the result is told once.
import {
  type App,
  AppAssociationChanged,
  AppSettings,
  type AssociationFinding,
  CreateApp,
  type DataOf,
  FindAssociationCheck,
  StoreAssociationCheck,
  TakeAssociationChecks,
  UpdateApp,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { done, refused, service } from './people.testing.ts';

const finding = (state: AssociationFinding['state']): AssociationFinding => ({
  check: 'apple-file',
  state,
  host: 'shop.links.example',
  detail: 'The host answers with status 404.',
  fix: state === 'ok' ? null : 'Let the proxy pass this path to Landfall.',
});

let told: DataOf<typeof AppAssociationChanged>[] = [];
const watched = (parts: Parameters<typeof service>[0]) => {
  service(parts);
  told = [];
  parts.bus.watch(AppAssociationChanged, (data) => told.push(data), { onGap() {} });
};

async function makeApp(house: House, subdomain: string): Promise<App> {
  return (await done(house.bus.ask(CreateApp, { name: 'Shop', subdomain, settings: AppSettings.parse({}) }))).app;
}

handlerSuite('association checks', { service: watched }, (house) => {
  const take = async (limit = 50) => {
    const { apps } = await done(house.bus.ask(TakeAssociationChecks, { limit, againAfterSeconds: 3_600 }));
    return apps.map(({ subdomain }) => subdomain).sort();
  };
  const store = async (appId: string, state: AssociationFinding['state'], checkedAt = new Date(house.clock())) =>
    (
      await done(
        house.bus.ask(StoreAssociationCheck, { appId, checkedAt: checkedAt.toISOString(), findings: [finding(state)] }),
      )
    ).check;
  const found = async (appId: string) => (await done(house.bus.ask(FindAssociationCheck, { appId }))).check;

  it('take each live app once an hour', async () => {
    await makeApp(house, 'one');
    await makeApp(house, 'two');
    const archived = await makeApp(house, 'three');
    await done(house.bus.ask(UpdateApp, { appId: archived.id, archived: true, settings: {} }));
    const first = await take(1);
    expect(first).toHaveLength(1);
    expect([...first, ...(await take())].sort()).toEqual(['one', 'two']);
    expect(await take()).toEqual([]);
    house.clock.advance({ ms: 3_599_000 });
    expect(await take()).toEqual([]);
    house.clock.advance({ ms: 1_000 });
    expect(await take()).toEqual(['one', 'two']);
  });

  it('keep the last result, and tell only changes', async () => {
    const { id } = await makeApp(house, 'shop');
    expect(await found(id)).toBeNull();
    await store(id, 'ok');
    expect(told).toEqual([]);
    house.clock.advance({ ms: 1_000 });
    const failed = await store(id, 'failed');
    expect(failed).toMatchObject({ failing: true, findings: [finding('failed')] });
    expect(await found(id)).toEqual(failed);
    house.clock.advance({ ms: 1_000 });
    await store(id, 'failed');
    expect(new Set(told.map(({ checkedAt }) => checkedAt))).toEqual(new Set([failed.checkedAt]));
    expect(told[0]).toMatchObject({ appId: id, failing: true, failed: [{ host: 'shop.links.example' }] });
    house.clock.advance({ ms: 1_000 });
    await store(id, 'warn');
    expect(told.at(-1)).toMatchObject({ failing: false, failed: [] });
  });

  it('keep a later result when an earlier one arrives after it', async () => {
    const { id } = await makeApp(house, 'late');
    const earlier = new Date(house.clock() - 1_000);
    const later = await store(id, 'failed');
    expect(await store(id, 'ok', earlier)).toEqual(later);
    expect(await found(id)).toEqual(later);
  });

  it('of an unknown app are refused', async () => {
    const appId = '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11';
    const asked = { appId, checkedAt: new Date(house.clock()).toISOString(), findings: [] };
    expect(await refused(house.bus.ask(StoreAssociationCheck, asked))).toBe('APP_NOT_FOUND');
  });
});
