import { DeviceActive, DeviceInstalled, RecordHeartbeat } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { peopleOf } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { hashOf, heartbeat, id } from '../values.testing.ts';

const told = new Map<string, { device: string; day?: number }>();

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  attributionService(deps);
  for (const event of [DeviceInstalled, DeviceActive])
    deps.bus.listen('test', event, async (batch) => {
      for (const { data, context } of batch) told.set(context.id, data);
    });
};

handlerSuite('RecordHeartbeat', { service }, (fixture) => {
  beforeEach(() => told.clear());

  const { beat, rows } = peopleOf(fixture);
  const shared = () => rows('shared_at is not null as shared', 'devices');
  const [NO, YES] = [[{ shared: false }], [{ shared: true }]];
  /** Returns the days since the install that were told. */
  const days = async () => {
    await fixture.bus.idle();
    return [...told.values()].flatMap(({ day }) => day ?? []);
  };

  it('knows the first launch of a device in each app, and tells it once', async () => {
    expect(await beat()).toBe(true);
    fixture.clock.advance({ hours: 1 });
    expect(await beat()).toBe(false);
    const from = { platform: 'ios', country: 'KE', appVersion: '4.2.0' } as const;
    expect(await beat({ appId: id(0xb), ...from })).toBe(true);
    await fixture.bus.idle();
    expect([...told.values()]).toEqual([
      { appId: id(0xa), device: hashOf('phone'), platform: null, country: null, appVersion: null },
      { appId: id(0xb), device: hashOf('phone'), ...from },
    ]);
  });

  it('tells of an active device once for each day since its install', async () => {
    const from = { platform: 'android', country: 'KE', appVersion: '4.2.0' } as const;
    await beat();
    const [installed] = await fixture.database.rows<{ at: Date }>('select installed_at as at from attribution.devices');
    fixture.clock.advance({ hours: 23, minutes: 59 });
    await beat();
    expect(await days()).toEqual([]);
    fixture.clock.advance({ minutes: 1 });
    await beat(from);
    await beat(from);
    expect(await days()).toEqual([1]);
    const said = { appId: id(0xa), device: hashOf('phone'), installedAt: installed!.at.toISOString(), day: 1, ...from };
    expect([...told.values()].at(-1)).toEqual(said);
    fixture.clock.advance({ hours: 23 });
    await beat(from);
    expect(await days()).toEqual([1]);
    fixture.clock.advance({ days: 5 });
    await beat(from);
    expect(await days()).toEqual([1, 6]);
  });

  it('tells the same of a heartbeat that comes again after others of its day', async () => {
    await beat();
    fixture.clock.advance({ days: 2 });
    await beat({}, id(0xbea7));
    fixture.clock.advance({ hours: 3 });
    await beat();
    expect(await days()).toEqual([2]);
    const before = [...told.values()].slice(1);
    told.clear();
    await beat({}, id(0xbea7));
    await fixture.bus.idle();
    expect([...told.values()]).toEqual(before);
  });

  it('takes a heartbeat that repeats the last one for the same phone', async () => {
    expect(await beat()).toBe(true);
    fixture.clock.advance({ minutes: 9 });
    expect(await beat()).toBe(false);
    expect(await shared()).toEqual(NO);
    fixture.clock.advance({ minutes: 11 });
    await beat();
    expect(await shared()).toEqual(YES);
  });

  it('records none whose asker has gone while it waited, and takes the next for the first', async () => {
    const locked = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const holding = fixture.database.transaction(async (tx) => {
      await tx.rows('lock table attribution.devices in share mode');
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    const asked = fixture.bus.ask(RecordHeartbeat, heartbeat(), { timeoutMs: 50 });
    await expect(asked).rejects.toHaveProperty('name', 'NoAnswer');
    done.resolve();
    await holding;
    await fixture.bus.idle();
    expect([await rows('1', 'devices'), await rows('1', 'contacts'), told.size]).toEqual([[], [], 0]);
    fixture.clock.advance({ minutes: 20 });
    expect(await beat()).toBe(true);
    expect(await shared()).toEqual(NO);
  });

  it('decides in order when many come at once', async () => {
    expect(await Promise.all([beat(), beat(), beat({ address: null })])).toEqual([true, false, false]);
    expect(await shared()).toEqual(YES);
    expect(await rows('last_heartbeat_at = last_at as heard', 'contacts')).toEqual([{ heard: true }]);
  });
});
