// The regular checks of association files: each app is due once, and a change of the result is told once.
import { AppAssociationChanged, type DataOf } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { updateApp } from '../apps/update-app.ts';
import { consoleSuite, done, makeApp, toldOf } from '../console.testing.ts';
import type { AssociationFinding } from './association-repository.ts';
import { storeCheck } from './monitor.ts';

const finding = (state: AssociationFinding['state']): AssociationFinding => ({
  check: 'apple-file',
  state,
  host: 'shop.links.example',
  detail: 'The host answers with status 404.',
  fix: state === 'ok' ? null : 'Let the proxy pass this path to Landfall.',
});

consoleSuite('association checks', (fixture) => {
  const make = (subdomain: string) => makeApp(fixture, { subdomain });
  const take = async (limit = 50) => {
    const now = fixture.clock();
    const apps = await fixture.parts.account.association.take(new Date(now), new Date(now + 3_600_000), limit);
    return apps.map(({ subdomain }) => subdomain).sort();
  };
  const store = (appId: string, state: AssociationFinding['state'], now = new Date(fixture.clock())) =>
    storeCheck({ ...fixture.parts, now: () => now }, appId, [finding(state)]);
  const found = (appId: string) => fixture.parts.account.association.find(appId);
  const told = async () => {
    await fixture.bus.idle();
    return toldOf(fixture, AppAssociationChanged) as DataOf<typeof AppAssociationChanged>[];
  };

  it('take each live app once an hour', async () => {
    await make('one');
    await make('two');
    const archived = await make('three');
    await done(fixture.ask(updateApp, { appId: archived.id, archived: true }));
    const first = await take(1);
    expect(first).toHaveLength(1);
    expect([...first, ...(await take())].sort()).toEqual(['one', 'two']);
    expect(await take()).toEqual([]);
    fixture.clock.advance({ ms: 3_599_000 });
    expect(await take()).toEqual([]);
    fixture.clock.advance({ ms: 1_000 });
    expect(await take()).toEqual(['one', 'two']);
  });

  it('keep the last result, and tell only changes', async () => {
    const { id } = await make('shop');
    expect(await found(id)).toBeNull();
    await store(id, 'ok');
    expect(await told()).toEqual([]);
    fixture.clock.advance({ ms: 1_000 });
    const failed = await store(id, 'failed');
    expect(failed).toMatchObject({ failing: true, findings: [finding('failed')] });
    expect(await found(id)).toEqual(failed);
    fixture.clock.advance({ ms: 1_000 });
    await store(id, 'failed');
    expect(await told()).toEqual([expect.objectContaining({ appId: id, failing: true, checkedAt: failed?.checkedAt })]);
    expect((await told())[0]?.failed).toMatchObject([{ host: 'shop.links.example' }]);
    fixture.clock.advance({ ms: 1_000 });
    await store(id, 'warn');
    expect(await told()).toMatchObject([{ failing: true }, { failing: false, failed: [] }]);
    // Nobody asked for it.
    expect(await fixture.database.rows(`select action from account.audit`)).toEqual([{ action: 'CreateApp' }]);
  });

  it('tell the first result, too, if it is bad', async () => {
    await store((await make('bad')).id, 'failed');
    expect(await told()).toMatchObject([{ failing: true }]);
  });

  it('keep a later result when an earlier one arrives after it', async () => {
    const { id } = await make('late');
    const earlier = new Date(fixture.clock() - 1_000);
    const later = await store(id, 'failed');
    expect(await store(id, 'ok', earlier)).toEqual(later);
    expect(await found(id)).toEqual(later);
    expect(await told()).toHaveLength(1);
  });

  it('of an unknown app are not stored', async () => {
    expect(await store('0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11', 'failed')).toBeNull();
    expect(await told()).toEqual([]);
  });
});
