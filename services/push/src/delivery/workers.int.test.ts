// Push workers beside each other, killed, stopped and cut off: everything is sent, and counted once.
import type { Database } from '@landfall/db';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../providers/provider.ts';
import { deliveryHouse } from './test-delivery.ts';
import {
  countsOf,
  deliveriesOf,
  id,
  mortal,
  OTHER_APP,
  SENT,
  START,
  scripted,
  someDevices,
  storeDevices,
  storeNotification,
  storeProvider,
} from './test-queue.ts';

const { house, start, until, states, untilAll, untilTold, events, one } = deliveryHouse();

/** The same numbers in every run, at least 0 and less than 1. */
function seeded(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

describe('many workers', () => {
  it('send to each device once', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(1_500));
    const notificationId = await storeNotification(house.database);
    const { provider, pushes } = scripted(async () => SENT, 50);
    for (let n = 0; n < 3; n++) start(provider, { settings: { pageSize: 100 } });
    await untilAll('sent', 1_500);
    await untilTold();
    expect(new Set(pushes.map(({ token }) => token)).size).toBe(1_500);
    expect(pushes).toHaveLength(1_500);
    expect(new Set(house.told.map(({ id }) => id)).size).toBe(1_500);
    expect(await countsOf(house.database, notificationId)).toMatchObject({ targeted: 1_500, sent: 1_500 });
  });

  it('send what is scheduled once, and not before its time', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(20));
    const sendAt = new Date(START.getTime() + 3_600_000);
    await storeNotification(house.database, { sendAt });
    const { provider, pushes } = scripted();
    for (let n = 0; n < 3; n++) start(provider);
    // Another one shows that they have looked.
    await storeNotification(house.database, { target: { tokens: ['A'.repeat(43)] } });
    await until(async () =>
      expect(await house.database.rows('select 1 from push.notifications where expanded_at is not null')).toHaveLength(
        1,
      ),
    );
    expect(await states()).toEqual([]);
    house.clock.advance({ hours: 1 });
    await untilAll('sent', 20);
    expect(pushes).toHaveLength(20);
  });

  it('never let an app have all of it', async () => {
    await storeProvider(house.database);
    await storeProvider(house.database, OTHER_APP);
    await storeDevices(house.database, [...someDevices(300), ...someDevices(10, OTHER_APP)]);
    await storeNotification(house.database);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { provider, mostAtOnce } = scripted(async ({ token }) => {
      if (Number.parseInt(token.slice(-12), 16) < 0x100000) await gate;
      return SENT;
    }, 50);
    start(provider, { settings: { mostHeld: 60 } });
    await until(() => expect(mostAtOnce()).toBe(30));
    await storeNotification(house.database, { appId: OTHER_APP });
    const sent = async () => (await states()).filter((state) => state === 'sent').length;
    await until(async () => expect(await sent()).toBe(10));
    release();
    await untilAll('sent', 310);
    expect(mostAtOnce()).toBeLessThanOrEqual(60);
  });
});

describe('a worker that is killed', () => {
  it('between two pages: another goes on there, after any of them', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(10));
    const pages = Math.ceil(10 / 3) + 1;
    for (let after = 1; after < pages; after++) {
      const notificationId = await storeNotification(house.database);
      await house.database.rows('update push.providers set wait_until = $1', [new Date(house.clock() + 600_000)]);
      const victim = mortal(house.database);
      victim.afterTransactions(after);
      const first = start(scripted().provider, { database: victim.database, settings: { pageSize: 3, stopMs: 1 } });
      await until(async () => {
        const rows = (await deliveriesOf(house.database)).filter((row) => row.notification_id === notificationId);
        expect(rows).toHaveLength(Math.min(after * 3, 10));
      });
      await first.stop();
      house.clock.advance({ minutes: 2 });
      const { provider, pushes } = scripted();
      const second = start(provider, { settings: { pageSize: 3 } });
      await until(async () =>
        expect(await countsOf(house.database, notificationId)).toMatchObject({
          targeted: 10,
          expanded_at: expect.any(Date),
        }),
      );
      house.clock.advance({ minutes: 20 });
      await until(async () => expect(await countsOf(house.database, notificationId)).toMatchObject({ sent: 10 }));
      expect(pushes.filter((push) => push.notificationId === notificationId)).toHaveLength(10);
      await second.stop();
    }
  });

  it('while it sends: its pushes are sent by another with the same id, when its time is over', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(5));
    await storeNotification(house.database);
    const victim = mortal(house.database);
    const hanging = scripted(() => new Promise<never>(() => {}));
    const first = start(hanging.provider, { database: victim.database, settings: { stopMs: 1 } });
    await until(() => expect(hanging.pushes).toHaveLength(5));
    victim.kill();
    await first.stop();
    const { provider, pushes } = scripted();
    start(provider);
    await until(async () =>
      expect((await deliveriesOf(house.database)).every(({ attempts }) => attempts === 1)).toBe(true),
    );
    house.clock.advance({ seconds: 59 });
    expect(pushes).toEqual([]);
    house.clock.advance({ seconds: 2 });
    await untilAll('sent', 5);
    expect(pushes.map((push) => push.id).toSorted()).toEqual(hanging.pushes.map((push) => push.id).toSorted());
    expect((await deliveriesOf(house.database)).every(({ attempts }) => attempts === 2)).toBe(true);
  });

  it('between the commit and the telling: another tells it, under the id that it would have had', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(3));
    await storeNotification(house.database);
    const silent = { ...house.bus, tell: () => new Promise<never>(() => {}) };
    const drop: Outcome = { kind: 'drop', reason: 'UNREGISTERED', asOf: null };
    const gone = `token ${someDevices(1)[0]!.id}`;
    const first = start(scripted(({ token }) => (token === gone ? drop : SENT)).provider, {
      bus: silent,
      settings: { stopMs: 1 },
    });
    await until(async () => expect((await states()).toSorted()).toEqual(['failed', 'sent', 'sent']));
    await first.stop();
    expect(house.told).toEqual([]);
    expect((await deliveriesOf(house.database)).every(({ untold }) => untold)).toBe(true);

    house.clock.advance({ seconds: 20 });
    const second = start(scripted().provider);
    await untilTold();
    expect(house.told.map(({ event }) => event).toSorted()).toEqual([
      'PushFailed',
      'PushSent',
      'PushSent',
      'PushTokenDropped',
    ]);
    // Once more, as by a worker that was killed before it marked them.
    await second.stop();
    const before = house.told.map(({ id }) => id).toSorted();
    house.told = [];
    await house.database.rows('update push.deliveries set untold = true');
    start(scripted().provider);
    await untilTold();
    expect(house.told.map(({ id }) => id).toSorted()).toEqual(before);
  });
});

describe('a worker that lives', () => {
  it('keeps what takes longer than its time', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(2));
    await storeNotification(house.database);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = scripted(async () => {
      await gate;
      return SENT;
    });
    start(slow.provider);
    await until(() => expect(slow.pushes).toHaveLength(2));
    const other = scripted();
    start(other.provider);
    for (let seconds = 0; seconds < 120; seconds += 30) {
      const before = (await one()).next_at;
      house.clock.advance({ seconds: 30 });
      await until(async () => expect((await one()).next_at.getTime()).toBeGreaterThan(before.getTime()));
    }
    release();
    await untilAll('sent', 2);
    expect(other.pushes).toEqual([]);
  });

  it('settles what is under way when it is stopped, and gives the rest back', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(100));
    await storeNotification(house.database);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { provider, pushes } = scripted(async () => {
      await gate;
      return SENT;
    }, 10);
    const delivery = start(provider);
    await until(() => expect(pushes).toHaveLength(10));
    const stopped = delivery.stop();
    release();
    await stopped;
    const rows = await deliveriesOf(house.database);
    expect(rows.filter(({ state, untold }) => state === 'sent' && !untold)).toHaveLength(10);
    expect(rows.filter(({ state, attempts }) => state === 'queued' && attempts === 0)).toHaveLength(90);
    expect(pushes).toHaveLength(10);
    expect(events('PushSent')).toHaveLength(10);
  });

  it('goes on when PostgreSQL was away', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(200));
    const notificationId = await storeNotification(house.database);
    const chance = seeded();
    const failing: Database = {
      ...house.database,
      rows: async (text, values, planned) => {
        if (chance() < 0.3) throw new Error('Connection terminated');
        return house.database.rows<never>(text, values, planned);
      },
      transaction: async (run) => {
        if (chance() < 0.3) throw new Error('Connection terminated');
        return house.database.transaction(run);
      },
    };
    const { provider } = scripted(undefined, 20);
    start(provider, { database: failing, settings: { pageSize: 20 } });
    await until(async () => {
      house.clock.advance({ seconds: 5 });
      expect(await countsOf(house.database, notificationId)).toMatchObject({ targeted: 200, sent: 200 });
    });
  });
});

it('counts as many as there are, whatever became of them', async () => {
  const outcomes: Outcome[] = [
    SENT,
    { kind: 'drop', reason: 'gone', asOf: null },
    { kind: 'fail', reason: 'no' },
    { kind: 'retry', reason: 'later', retryAfterMs: null },
    { kind: 'wait', whom: 'device', reason: 'busy', retryAfterMs: 1_000 },
    { kind: 'wait', whom: 'all', reason: 'quota', retryAfterMs: null },
    { kind: 'unknown', reason: 'reset' },
  ];
  await storeProvider(house.database);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...outcomes), { maxLength: 4 }), { minLength: 1, maxLength: 25 }),
      async (scripts) => {
        const appId = id(0xf000 + round++);
        await storeProvider(house.database, appId);
        const devices = scripts.map((_, n) => ({ id: id(0x1_000_000 + round * 100 + n), appId }));
        await storeDevices(house.database, devices);
        const notificationId = await storeNotification(house.database, { appId, sendAt: new Date(house.clock()) });
        const { provider } = scripted(
          ({ token }, nth) => scripts[devices.findIndex((d) => token === `token ${d.id}`)]![nth - 1] ?? SENT,
          5,
        );
        const workers = [start(provider), start(provider)];
        await until(async () => {
          house.clock.advance({ seconds: 15 });
          const { sent, failed, unknown, targeted } = await countsOf(house.database, notificationId);
          expect(targeted).toBe(devices.length);
          expect(sent + failed + unknown).toBe(devices.length);
        });
        await Promise.all(workers.map((worker) => worker.stop()));
        const rows = (await deliveriesOf(house.database)).filter((row) => row.notification_id === notificationId);
        const count = (state: string) => rows.filter((row) => row.state === state).length;
        expect(await countsOf(house.database, notificationId)).toMatchObject({
          sent: count('sent'),
          failed: count('failed'),
          unknown: count('unknown'),
        });
        expect(rows.filter(({ untold }) => untold)).toEqual([]);
        const dropped = await house.database.rows<{ id: string }>(
          'select id from push.devices where app_id = $1 and dropped_at is not null',
          [appId],
        );
        expect(dropped.length).toBe(rows.filter(({ reason }) => reason === 'gone').length);
      },
    ),
    { numRuns: 15 },
  );
});
