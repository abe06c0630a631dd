import { DeviceActive, DeviceInstalled, RecordHeartbeat, RestoreLinks } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { hashOf, heartbeat, id, toRestore } from '../values.testing.ts';

const told = new Map<string, unknown>();

const service: Parameters<typeof handlerSuite>[1]['service'] = (deps) => {
  attributionService(deps);
  for (const event of [DeviceInstalled, DeviceActive])
    deps.bus.listen('test', event, async (batch) => {
      for (const { data, context } of batch) told.set(context.id, data);
    });
};

handlerSuite('RecordHeartbeat', { service }, (fixture) => {
  beforeEach(() => told.clear());

  const isFirstLaunch = async (from: Parameters<typeof heartbeat>[0] = {}) => {
    const answer = await fixture.bus.ask(RecordHeartbeat, heartbeat(from));
    return answer.ok ? answer.reply.isFirstLaunch : expect.unreachable();
  };
  const shared = async () => {
    const [row] = await fixture.database.rows<{ shared: boolean }>(
      'select shared_at is not null as shared from attribution.devices',
    );
    return row?.shared;
  };

  it('knows the first launch of a device in each app, and tells it once', async () => {
    expect(await isFirstLaunch()).toBe(true);
    fixture.clock.advance({ hours: 1 });
    expect(await isFirstLaunch()).toBe(false);
    const from = { platform: 'ios', country: 'KE', appVersion: '4.2.0' } as const;
    expect(await isFirstLaunch({ appId: id(0xb), ...from })).toBe(true);
    await fixture.bus.idle();
    expect([...told.values()]).toEqual([
      { appId: id(0xa), device: hashOf('phone'), platform: null, country: null, appVersion: null },
      { appId: id(0xb), device: hashOf('phone'), ...from },
    ]);
  });

  it('tells of an active device once for each day since its install', async () => {
    const from = { platform: 'android', country: 'KE', appVersion: '4.2.0' } as const;
    const days = async () => {
      await fixture.bus.idle();
      return [...told.values()].flatMap((data) =>
        data && typeof data === 'object' && 'day' in data ? [data.day] : [],
      );
    };
    await isFirstLaunch();
    const [installed] = await fixture.database.rows<{ at: Date }>(
      'select last_heartbeat_at as at from attribution.devices',
    );
    fixture.clock.advance({ hours: 23, minutes: 59 });
    await isFirstLaunch();
    expect(await days()).toEqual([]);
    fixture.clock.advance({ minutes: 1 });
    await isFirstLaunch(from);
    await isFirstLaunch(from);
    expect(await days()).toEqual([1]);
    const said = { appId: id(0xa), device: hashOf('phone'), installedAt: installed!.at.toISOString(), day: 1, ...from };
    expect([...told.values()].at(-1)).toEqual(said);
    fixture.clock.advance({ hours: 23 });
    await isFirstLaunch(from);
    expect(await days()).toEqual([1]);
    fixture.clock.advance({ days: 5 });
    await isFirstLaunch(from);
    expect(await days()).toEqual([1, 6]);
  });

  it('tells the same of a heartbeat that comes again after others of its day', async () => {
    await isFirstLaunch();
    fixture.clock.advance({ days: 2 });
    const messageId = id(0xbea7);
    await fixture.bus.ask(RecordHeartbeat, heartbeat(), { id: messageId });
    fixture.clock.advance({ hours: 3 });
    await isFirstLaunch();
    await fixture.bus.idle();
    const before = [...told.values()];
    expect(before).toMatchObject([{}, { day: 2 }]);
    told.clear();
    await fixture.bus.ask(RecordHeartbeat, heartbeat(), { id: messageId });
    await fixture.bus.idle();
    expect([...told.values()]).toEqual(before.slice(1));
  });

  it('tells no day twice for heartbeats that come in another order', async () => {
    await isFirstLaunch();
    for (const hours of [73, -24, 23.5, -47.5, -40]) {
      fixture.clock.advance({ hours });
      await isFirstLaunch();
    }
    await fixture.bus.idle();
    expect([...told.values()].slice(1)).toMatchObject([{ day: 3 }]);
  });

  it('counts days from the first heartbeat, not from a restore before it', async () => {
    await fixture.bus.ask(RestoreLinks, toRestore());
    fixture.clock.advance({ hours: 12 });
    await isFirstLaunch();
    fixture.clock.advance({ hours: 23 });
    await isFirstLaunch();
    await fixture.bus.idle();
    expect(told.size).toBe(1);
  });

  it('counts days from the first sighting for a device of an older version', async () => {
    await isFirstLaunch();
    await fixture.bus.idle();
    await fixture.database.rows('update attribution.devices set installed_at = null');
    fixture.clock.advance({ hours: 25 });
    await isFirstLaunch();
    fixture.clock.advance({ hours: 24 });
    await isFirstLaunch();
    await fixture.bus.idle();
    expect([...told.values()].slice(1)).toMatchObject([{ day: 1 }, { day: 2 }]);
  });

  it('takes a heartbeat a day for one phone', async () => {
    await isFirstLaunch();
    fixture.clock.advance({ hours: 23, minutes: 1 });
    await isFirstLaunch();
    expect(await shared()).toBe(false);
  });

  it('takes two heartbeats in less than 23 hours for two phones', async () => {
    await isFirstLaunch();
    fixture.clock.advance({ hours: 22 });
    expect(await isFirstLaunch({ address: hashOf('elsewhere') })).toBe(false);
    expect(await shared()).toBe(true);
  });

  it('takes a heartbeat that repeats the last one for the same phone', async () => {
    expect(await isFirstLaunch()).toBe(true);
    fixture.clock.advance({ seconds: 32 });
    expect(await isFirstLaunch()).toBe(false);
    fixture.clock.advance({ minutes: 9 });
    expect(await isFirstLaunch()).toBe(false);
    expect(await shared()).toBe(false);
    await fixture.bus.idle();
    expect(told.size).toBe(1);
    fixture.clock.advance({ minutes: 11 });
    await isFirstLaunch();
    expect(await shared()).toBe(true);
  });

  it.each([{ address: hashOf('elsewhere') }, { userAgent: hashOf('another') }, { userAgent: null }])(
    'takes a heartbeat from elsewhere for another phone: %j',
    async (from) => {
      await isFirstLaunch();
      await isFirstLaunch(from);
      expect(await shared()).toBe(true);
    },
  );

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
    expect(await fixture.database.rows('select 1 from attribution.devices')).toEqual([]);
    expect(await fixture.database.rows('select 1 from attribution.contacts')).toEqual([]);
    expect(told.size).toBe(0);
    fixture.clock.advance({ minutes: 20 });
    expect(await isFirstLaunch()).toBe(true);
    expect(await shared()).toBe(false);
  });

  it('decides in order when many come at once', async () => {
    const answers = await Promise.all([isFirstLaunch(), isFirstLaunch(), isFirstLaunch({ address: null })]);
    expect(answers).toEqual([true, false, false]);
    expect(await shared()).toBe(true);
    const contacts = await fixture.database.rows(
      'select last_heartbeat_at = last_at as heard from attribution.contacts',
    );
    expect(contacts).toEqual([{ heard: true }]);
  });
});
