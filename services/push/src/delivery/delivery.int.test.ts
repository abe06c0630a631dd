import type { InProcessBus } from '@landfall/bus';
import { type DataOf, type EventDef, PushFailed, PushSent, PushTokenDropped } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Clock } from '@landfall/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PushOutcome } from '../domain/outcomes.ts';
import type { Push } from '../providers/provider.ts';
import { hashOf, id } from '../values.testing.ts';
import type { DeliveryParts } from './delivery.ts';
import { deliveryId } from './queue/expansion-repository.ts';
import {
  APP,
  countsOf,
  deliveriesOf,
  eachWithQueue,
  mortal,
  OTHER_APP,
  type Queue,
  SENT,
  START,
  scripted,
  someDevices,
  storeAll,
  storeDevices,
  storeNotification,
  storeProvider,
  until,
} from './queue.testing.ts';

let database: Database;
let bus: InProcessBus;
let clock: Clock;
let start: Queue['start'];
interface Said {
  event: string;
  id: string;
  data: DataOf<EventDef>;
}
let told: Said[];
const byId = (a: Said, b: Said) => (a.id < b.id ? -1 : 1);

eachWithQueue((queue) => {
  ({ database, bus, clock, start } = queue);
  told = [];
  for (const event of [PushSent, PushFailed, PushTokenDropped])
    bus.listen('test', event, async (batch) => {
      for (const { data, context } of batch) told.push({ event: event.name, id: context.id, data });
    });
});

const states = async () => (await deliveriesOf(database)).map(({ state }) => state);
/** The number of deliveries with this condition. It is asked again and again, so it reads no row. */
const countWhere = async (condition: string) =>
  (await database.rows<{ count: number }>(`select count(*)::int from push.deliveries where ${condition}`))[0]!.count;
const untilAll = (state: string, count: number) =>
  until(async () => {
    expect(await countWhere('true')).toBe(count);
    expect(await countWhere(`state = '${state}'`)).toBe(count);
  });
const untilTold = () =>
  until(async () => {
    expect(await countWhere('true')).toBeGreaterThan(0);
    expect(await countWhere(`state = 'queued' or untold`)).toBe(0);
  });
const events = (name: string) => told.filter(({ event }) => event === name);
interface Row {
  dropped_at: Date | null;
  drop_reason: string | null;
  paused_at: Date | null;
  pause_reason: string | null;
  wait_until: Date | null;
}
const row = async (where: string, value: string) =>
  (await database.rows<Row>(`select * from push.${where} = $1`, [value]))[0]!;
const deviceRow = (deviceId: string) => row('devices where id', deviceId);
const providerRow = (appId = APP) => row('providers where app_id', appId);

/** Stores one device and one notification, and starts a worker whose provider answers with `outcome`. */
async function oneTo(
  outcome: Parameters<typeof scripted>[0],
  notification: Parameters<typeof storeNotification>[1] = {},
) {
  const notificationId = await storeAll(database, someDevices(1), notification);
  const script = scripted(outcome);
  start(script.provider);
  return { ...script, notificationId, deviceId: someDevices(1)[0]!.id };
}
const one = async () => (await deliveriesOf(database))[0]!;

/** Returns a random function. It gives the same numbers in every run, at least 0 and less than 1. */
function seeded(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

describe('what a provider says', () => {
  it('sent: once, told once, counted', async () => {
    const { pushes, notificationId, deviceId } = await oneTo(() => SENT);
    await untilTold();
    expect(await one()).toMatchObject({ state: 'sent', attempts: 1, provider_id: 'taken', reason: null });
    expect(pushes).toMatchObject([
      {
        id: deliveryId(notificationId, deviceId),
        notificationId,
        token: `token ${deviceId}`,
        message: { title: 'Hello' },
      },
    ]);
    expect(told).toMatchObject([
      {
        event: 'PushSent',
        data: { notificationId, deviceId, appId: APP, kind: 'fcm', logged: false, platform: 'android' },
      },
    ]);
    expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 1, sent: 1, failed: 0, unknown: 0 });
  });

  it('drop: failed, and the token is dropped and told once', async () => {
    const { deviceId, notificationId } = await oneTo(() => ({ kind: 'drop', reason: 'UNREGISTERED', asOf: null }));
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'UNREGISTERED' });
    expect(await deviceRow(deviceId)).toMatchObject({ drop_reason: 'UNREGISTERED', dropped_at: expect.any(Date) });
    expect(events('PushTokenDropped')).toMatchObject([{ data: { deviceId, reason: 'UNREGISTERED' } }]);
    expect(events('PushFailed')).toMatchObject([{ data: { outcome: 'failed', reason: 'UNREGISTERED' } }]);
    expect(await countsOf(database, notificationId)).toMatchObject({ failed: 1 });
  });

  it.each([
    ['before the last registration keeps the token', -2, null],
    ['after it drops it', 0, 'Unregistered'],
  ])('drop as of a time %s', async (_, daysAfterStart, reason) => {
    const asOf = new Date(START.getTime() + daysAfterStart * 86_400_000);
    const { deviceId } = await oneTo(() => ({ kind: 'drop', reason: 'Unregistered', asOf }));
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'Unregistered' });
    expect(await deviceRow(deviceId)).toMatchObject({ drop_reason: reason });
    expect(events('PushTokenDropped')).toHaveLength(reason ? 1 : 0);
  });

  it('drop, of a token that was registered again while it was sent: it is kept', async () => {
    const { deviceId } = await oneTo(async ({ token }) => {
      await database.rows('update push.devices set registered_by = $1 where token = $2', [id(7), token]);
      return { kind: 'drop', reason: 'UNREGISTERED', asOf: null };
    });
    await untilTold();
    expect(await deviceRow(deviceId)).toMatchObject({ dropped_at: null });
    expect(events('PushTokenDropped')).toEqual([]);
  });

  it('drop, when another worker has taken the delivery since: the one that holds it drops the token, and tells it', async () => {
    const { pushes, deviceId } = await oneTo(async ({ id: delivery }, nth) => {
      // Another worker took it when the lease was over, and ended at once: its own lease is over, too.
      const taken = 'update push.deliveries set attempts = attempts + 1, next_at = $2 where id = $1';
      if (nth === 1) await database.rows(taken, [delivery, new Date(clock())]);
      return { kind: 'drop', reason: 'UNREGISTERED', asOf: null };
    });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'UNREGISTERED', attempts: 3 });
    expect(pushes).toHaveLength(2);
    expect(await deviceRow(deviceId)).toMatchObject({ drop_reason: 'UNREGISTERED' });
    expect(events('PushTokenDropped')).toMatchObject([{ data: { deviceId, reason: 'UNREGISTERED' } }]);
  });

  it('fail: failed, and the token is kept', async () => {
    const { deviceId } = await oneTo(() => ({ kind: 'fail', reason: 'PayloadTooLarge' }));
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'PayloadTooLarge' });
    expect(await deviceRow(deviceId)).toMatchObject({ dropped_at: null });
  });

  describe('suspect: of the token or of the message', () => {
    const suspect: PushOutcome = { kind: 'suspect', reason: 'INVALID_ARGUMENT' };
    const bad = someDevices(1)[0]!.id;
    const toBad = ({ token }: Push) => (token === `token ${bad}` ? suspect : SENT);
    const badRow = async () => (await deliveriesOf(database)).find((row) => row.device_id === bad)!;

    it('the token, where another device took the message: it is dropped', async () => {
      await storeProvider(database);
      await storeDevices(database, someDevices(3));
      await storeNotification(database);
      start(scripted(toBad, 1).provider);
      await until(async () => {
        clock.advance({ seconds: 11 });
        expect((await states()).toSorted()).toEqual(['failed', 'sent', 'sent']);
      });
      await untilTold();
      expect(await badRow()).toMatchObject({ state: 'failed', reason: 'INVALID_ARGUMENT' });
      expect(await deviceRow(bad)).toMatchObject({ drop_reason: 'INVALID_ARGUMENT' });
    });

    it('nobody knows, where no device took it, or one of another platform: the token is kept', async () => {
      await storeProvider(database);
      await storeDevices(database, [someDevices(1)[0]!, { ...someDevices(2)[1]!, platform: 'ios' }]);
      await storeNotification(database);
      const { provider, pushes } = scripted(toBad);
      start(provider);
      await until(async () => expect(await badRow()).toMatchObject({ state: 'queued', reason: 'INVALID_ARGUMENT' }));
      clock.advance({ seconds: 12 });
      await untilTold();
      expect(await badRow()).toMatchObject({ state: 'failed', attempts: 2 });
      expect(pushes).toHaveLength(3);
      expect(await deviceRow(bad)).toMatchObject({ dropped_at: null });
    });

    it('the token, where another worker sent the message to somebody', async () => {
      await storeProvider(database);
      await storeDevices(database, someDevices(2));
      await storeNotification(database);
      const first = start(scripted(toBad).provider);
      await until(async () => expect((await states()).toSorted()).toEqual(['queued', 'sent']));
      await first.stop();
      start(scripted(toBad).provider);
      clock.advance({ seconds: 12 });
      await untilTold();
      expect(await deviceRow(bad)).toMatchObject({ drop_reason: 'INVALID_ARGUMENT' });
    });
  });

  it('retry: again after a while with the same id, until it is sent', async () => {
    const { pushes } = await oneTo((_, nth) =>
      nth < 3 ? { kind: 'retry', reason: 'INTERNAL', retryAfterMs: null } : SENT,
    );
    for (const attempts of [1, 2]) {
      await until(async () => expect(await one()).toMatchObject({ state: 'queued', attempts, reason: 'INTERNAL' }));
      await until(async () => expect((await one()).next_at.getTime() - clock()).toBeLessThan(2_000));
      clock.advance({ minutes: 1 });
    }
    await untilTold();
    expect(new Set(pushes.map((push) => push.id)).size).toBe(1);
    expect(await one()).toMatchObject({ state: 'sent', attempts: 3 });
  });

  it('wait, of the device: only that push waits, as long as was asked', async () => {
    await storeProvider(database);
    const devices = someDevices(3);
    await storeDevices(database, devices);
    await storeNotification(database);
    const busy = `token ${devices[1]!.id}`;
    const { provider } = scripted(({ token }, nth) =>
      token === busy && nth === 1
        ? { kind: 'wait', whom: 'device', reason: 'TooManyRequests', retryAfterMs: 60_000 }
        : SENT,
    );
    start(provider);
    await until(async () => expect((await states()).toSorted()).toEqual(['queued', 'sent', 'sent']));
    const waiting = (await deliveriesOf(database)).find(({ state }) => state === 'queued')!;
    expect(waiting.next_at.getTime() - START.getTime()).toBeGreaterThan(59_000);
    expect(await providerRow()).toMatchObject({ wait_until: null });
    clock.advance({ seconds: 62 });
    await untilAll('sent', 3);
  });

  it('wait, of all: the lane waits, and the attempts do not count', async () => {
    let asked = 0;
    const { pushes } = await oneTo(() =>
      asked++ === 0 ? { kind: 'wait', whom: 'all', reason: 'QUOTA_EXCEEDED', retryAfterMs: 30_000 } : SENT,
    );
    await until(async () => expect(await providerRow()).toMatchObject({ wait_until: expect.any(Date) }));
    await until(async () => expect(await one()).toMatchObject({ state: 'queued', attempts: 0 }));
    expect((await providerRow()).wait_until!.getTime() - START.getTime()).toBeGreaterThan(29_000);
    // Notifications that arrive in the meantime wait, too.
    await storeNotification(database);
    await until(async () => expect(await states()).toEqual(['queued', 'queued']));
    expect(pushes).toHaveLength(1);
    clock.advance({ seconds: 40 });
    await untilAll('sent', 2);
  });

  it('wait, of all, said of many that were under way: the lane rests once', async () => {
    await storeAll(database, someDevices(50));
    const gate = Promise.withResolvers<void>();
    const { provider, pushes } = scripted(async (_, nth) => {
      await gate.promise;
      return nth === 1 ? { kind: 'wait', whom: 'all', reason: 'UNAVAILABLE', retryAfterMs: null } : SENT;
    });
    start(provider);
    await until(() => expect(pushes).toHaveLength(50));
    gate.resolve();
    await until(async () => expect((await providerRow()).wait_until).not.toBeNull());
    // A second rest in a row would be a second longer. Each later rest would be about twice as long as the one before,
    // up to about half a minute.
    expect((await providerRow()).wait_until!.getTime()).toBeLessThan(START.getTime() + 2_500);
    clock.advance({ seconds: 3 });
    await untilAll('sent', 50);
    expect((await deliveriesOf(database)).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  it('pause: nothing is lost, and everything is sent once the credentials are mended', async () => {
    await storeProvider(database);
    await storeProvider(database, OTHER_APP);
    await storeDevices(database, [...someDevices(50), ...someDevices(50, OTHER_APP)]);
    await storeNotification(database);
    await storeNotification(database, { appId: OTHER_APP });
    const refused: PushOutcome = { kind: 'pause', reason: 'SENDER_ID_MISMATCH' };
    const bad = scripted(() => refused, 10);
    const good = scripted();
    start(good.provider, {
      providers: {
        get: (appId, _, credentials) =>
          appId === APP && credentials.opened === 'credentials 1' ? bad.provider : good.provider,
        without: () => null,
      },
    });
    await until(async () =>
      expect((await states()).toSorted()).toEqual([...Array(50).fill('queued'), ...Array(50).fill('sent')]),
    );
    await until(async () => {
      const rows = (await deliveriesOf(database)).filter(({ state }) => state === 'queued');
      expect(rows.every(({ attempts }) => attempts === 0)).toBe(true);
    });
    expect(bad.pushes.length).toBeLessThanOrEqual(10);
    expect(await providerRow()).toMatchObject({ paused_at: expect.any(Date), pause_reason: 'SENDER_ID_MISMATCH' });
    expect(await providerRow(OTHER_APP)).toMatchObject({ paused_at: null });
    expect(await database.rows('select 1 from push.devices where dropped_at is not null')).toEqual([]);
    await storeProvider(database, APP, 'fcm', 2);
    await untilAll('sent', 100);
  });

  it('unknown, once: sent once more with the same id after a while', async () => {
    const { pushes } = await oneTo((_, nth) => (nth === 1 ? { kind: 'unknown', reason: 'timeout' } : SENT));
    await until(async () => expect(await one()).toMatchObject({ state: 'queued', in_doubt: true, attempts: 1 }));
    expect(pushes).toHaveLength(1);
    clock.advance({ seconds: 21 });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'sent', attempts: 2 });
    expect(pushes[0]!.id).toBe(pushes[1]!.id);
  });

  it('unknown, twice: unknown it stays', async () => {
    const { pushes, notificationId } = await oneTo(() => ({ kind: 'unknown', reason: 'timeout' }));
    await until(async () => expect(await one()).toMatchObject({ in_doubt: true }));
    clock.advance({ seconds: 21 });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'unknown', reason: 'timeout' });
    expect(pushes).toHaveLength(2);
    expect(events('PushFailed')).toMatchObject([{ data: { outcome: 'unknown', reason: 'timeout' } }]);
    expect(await countsOf(database, notificationId)).toMatchObject({ sent: 0, failed: 0, unknown: 1 });
  });

  it('nothing, ever: unknown, and the lane goes on', async () => {
    await storeAll(database, someDevices(2));
    const silent = `token ${someDevices(1)[0]!.id}`;
    const { provider } = scripted(({ token }) => (token === silent ? new Promise<never>(() => {}) : SENT));
    start(provider, { settings: { stopMs: 100 } });
    await until(async () => expect((await states()).toSorted()).toEqual(['queued', 'sent']));
    for (const state of ['queued', 'unknown']) {
      clock.advance({ minutes: 6 });
      await until(async () => {
        clock.advance({ seconds: 20 });
        expect(await one()).toMatchObject({ state, reason: 'no-answer' });
      });
    }
  });
});

describe('what is not sent', () => {
  it('expired', async () => {
    const { pushes } = await oneTo(() => SENT, { sendAt: new Date(START.getTime() - 60_000), ttlMs: 30_000 });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'expired' });
    expect(pushes).toEqual([]);
  });

  it('expired while its provider is paused', async () => {
    await storeProvider(database);
    await storeDevices(database, someDevices(1_200));
    await database.rows('update push.providers set paused_at = $1', [START]);
    const notificationId = await storeNotification(database, { ttlMs: 60_000 });
    const later = await storeNotification(database, { target: { tokens: [hashOf(`token ${id(0x1000)}`)] } });
    const { provider, pushes } = scripted();
    start(provider);
    await untilAll('queued', 1_201);
    clock.advance({ minutes: 3 });
    await until(async () =>
      expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 1_200, failed: 1_200 }),
    );
    expect(await countsOf(database, later)).toMatchObject({ targeted: 1, failed: 0 });
    expect(pushes).toEqual([]);
  });

  it('to a device that was dropped meanwhile', async () => {
    await storeDevices(database, someDevices(2));
    await storeNotification(database);
    const { provider, pushes } = scripted();
    await storeProvider(database);
    await database.rows('update push.providers set wait_until = $1', [new Date(START.getTime() + 60_000)]);
    start(provider);
    await untilAll('queued', 2);
    await database.rows('update push.devices set dropped_at = $1 where id = $2', [START, someDevices(1)[0]!.id]);
    clock.advance({ minutes: 2 });
    await untilTold();
    expect(pushes).toHaveLength(1);
    expect(await one()).toMatchObject({ state: 'failed', reason: 'token-dropped' });
  });

  it('without credentials: it fails, or is logged', async () => {
    await storeDevices(database, [...someDevices(1), ...someDevices(1, OTHER_APP)]);
    await storeNotification(database);
    const first = start(scripted().provider);
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'no-credentials' });
    await first.stop();
    await storeNotification(database, { appId: OTHER_APP });
    const logs = scripted(() => ({ kind: 'sent', providerId: null, logged: true }));
    start(scripted().provider, { providers: { get: () => scripted().provider, without: () => logs.provider } });
    await until(() => expect(logs.pushes).toHaveLength(1));
    await untilTold();
    expect((await states()).toSorted()).toEqual(['failed', 'logged']);
    expect(events('PushSent')).toMatchObject([{ data: { appId: OTHER_APP, logged: true } }]);
  });
});

describe('many workers', () => {
  it('send to each device once', async () => {
    const notificationId = await storeAll(database, someDevices(600));
    const { provider, pushes } = scripted(async () => SENT, 50);
    for (let n = 0; n < 3; n++) start(provider, { settings: { pageSize: 100 } });
    await untilAll('sent', 600);
    await untilTold();
    expect(new Set(pushes.map(({ token }) => token)).size).toBe(600);
    expect(pushes).toHaveLength(600);
    expect(new Set(told.map(({ id }) => id)).size).toBe(600);
    expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 600, sent: 600 });
  });

  it('send what is scheduled once, and not before its time', async () => {
    await storeProvider(database);
    await storeDevices(database, someDevices(20));
    const sendAt = new Date(START.getTime() + 3_600_000);
    await storeNotification(database, { sendAt });
    const { provider, pushes } = scripted();
    for (let n = 0; n < 3; n++) start(provider);
    // When this other notification is expanded, the workers have looked at the queue.
    await storeNotification(database, { target: { tokens: ['A'.repeat(43)] } });
    await until(async () =>
      expect(await database.rows('select 1 from push.notifications where expanded_at is not null')).toHaveLength(1),
    );
    expect(await states()).toEqual([]);
    clock.advance({ hours: 1 });
    await untilAll('sent', 20);
    expect(pushes).toHaveLength(20);
  });

  it('never let an app have all of it', async () => {
    await storeProvider(database);
    await storeProvider(database, OTHER_APP);
    await storeDevices(database, [...someDevices(300), ...someDevices(10, OTHER_APP)]);
    await storeNotification(database);
    const gate = Promise.withResolvers<void>();
    const { provider, mostAtOnce } = scripted(async ({ token }) => {
      if (Number.parseInt(token.slice(-12), 16) < 0x100000) await gate.promise;
      return SENT;
    }, 50);
    start(provider, { settings: { mostHeld: 60 } });
    await until(() => expect(mostAtOnce()).toBe(30));
    await storeNotification(database, { appId: OTHER_APP });
    await until(async () => expect(await countWhere(`state = 'sent'`)).toBe(10));
    gate.resolve();
    await untilAll('sent', 310);
    expect(mostAtOnce()).toBeLessThanOrEqual(60);
  });
});

describe('a worker that is killed', () => {
  it('between two pages: another goes on there, after any of them', async () => {
    await storeProvider(database);
    await storeDevices(database, someDevices(10));
    const pages = Math.ceil(10 / 3) + 1;
    for (let after = 1; after < pages; after++) {
      const notificationId = await storeNotification(database);
      await database.rows('update push.providers set wait_until = $1', [new Date(clock() + 600_000)]);
      const victim = mortal(database);
      victim.afterTransactions(after);
      const first = start(scripted().provider, { database: victim.database, settings: { pageSize: 3, stopMs: 1 } });
      await until(async () => {
        const rows = (await deliveriesOf(database)).filter((row) => row.notification_id === notificationId);
        expect(rows).toHaveLength(Math.min(after * 3, 10));
      });
      await first.stop();
      clock.advance({ minutes: 2 });
      const { provider, pushes } = scripted();
      const second = start(provider, { settings: { pageSize: 3 } });
      await until(async () =>
        expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 10, expanded_at: expect.any(Date) }),
      );
      clock.advance({ minutes: 20 });
      await until(async () => expect(await countsOf(database, notificationId)).toMatchObject({ sent: 10 }));
      expect(pushes.filter((push) => push.notificationId === notificationId)).toHaveLength(10);
      await second.stop();
    }
  });

  it('while it sends: its pushes are sent by another with the same id, when its time is over', async () => {
    await storeAll(database, someDevices(5));
    const victim = mortal(database);
    const hanging = scripted(() => new Promise<never>(() => {}));
    const first = start(hanging.provider, { database: victim.database, settings: { stopMs: 1 } });
    await until(() => expect(hanging.pushes).toHaveLength(5));
    victim.kill();
    await first.stop();
    const { provider, pushes } = scripted();
    start(provider);
    await until(async () => expect((await deliveriesOf(database)).every(({ attempts }) => attempts === 1)).toBe(true));
    clock.advance({ seconds: 59 });
    expect(pushes).toEqual([]);
    clock.advance({ seconds: 2 });
    await untilAll('sent', 5);
    expect(pushes.map((push) => push.id).toSorted()).toEqual(hanging.pushes.map((push) => push.id).toSorted());
    expect((await deliveriesOf(database)).every(({ attempts }) => attempts === 2)).toBe(true);
  });

  it('in the middle of many, with a slow database: no more get it twice than may be in flight', async () => {
    const kinds = ['fcm', 'apns'] as const;
    for (const kind of kinds) await storeProvider(database, APP, kind);
    await storeDevices(
      database,
      kinds.flatMap((kind) => someDevices(2_000, APP, kind)),
    );
    const notificationId = await storeNotification(database);
    const slow: Database = {
      ...database,
      transaction: (run) =>
        database.transaction(async (tx) => {
          const result = await run(tx);
          await tx.rows('select pg_sleep(0.15)');
          return result;
        }),
    };
    const tokens: string[] = [];
    const note: Parameters<typeof scripted>[0] = ({ token }) => {
      tokens.push(token);
      return SENT;
    };
    const quick = (atOnce: number) => scripted(note, atOnce).provider;
    const of = { fcm: quick(200), apns: quick(500) };
    const providers: DeliveryParts['providers'] = { get: (_, kind) => of[kind], without: () => null };
    const victim = mortal(slow);
    const first = start(of.fcm, { database: victim.database, providers, settings: { stopMs: 1 } });
    await until(() => expect(tokens.length).toBeGreaterThan(1_500));
    victim.kill();
    await first.stop();
    // This statement waits for the lock of the killed worker. After it, the last write of that worker is either
    // committed or rolled back.
    await database.rows('select 1 from push.notifications where id = $1 for update', [notificationId]);
    clock.advance({ minutes: 2 });
    start(of.fcm, { providers });
    await until(async () =>
      expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 4_000, sent: 4_000 }),
    );
    expect(new Set(tokens).size).toBe(4_000);
    expect(tokens.length - 4_000).toBeGreaterThan(0);
    expect(tokens.length - 4_000).toBeLessThanOrEqual(700);
  });

  it('between the commit and the telling: another tells it, under the id that it would have had', async () => {
    await storeAll(database, someDevices(3));
    const silent = { ...bus, tell: () => new Promise<never>(() => {}) };
    const drop: PushOutcome = { kind: 'drop', reason: 'UNREGISTERED', asOf: null };
    const gone = `token ${someDevices(1)[0]!.id}`;
    const first = start(scripted(({ token }) => (token === gone ? drop : SENT)).provider, {
      bus: silent,
      settings: { stopMs: 1 },
    });
    await until(async () => expect((await states()).toSorted()).toEqual(['failed', 'sent', 'sent']));
    await first.stop();
    expect(told).toEqual([]);
    expect((await deliveriesOf(database)).every(({ untold }) => untold)).toBe(true);

    clock.advance({ seconds: 20 });
    const second = start(scripted().provider);
    await untilTold();
    expect(told.map(({ event }) => event).toSorted()).toEqual([
      'PushFailed',
      'PushSent',
      'PushSent',
      'PushTokenDropped',
    ]);
    // Publishes the events once more, as after a worker that was killed before it marked them.
    await second.stop();
    const before = told.toSorted(byId);
    told = [];
    await database.rows('update push.deliveries set untold = true');
    start(scripted().provider);
    await untilTold();
    expect(told.toSorted(byId)).toEqual(before);
  });
});

describe('a worker that lives', () => {
  it('keeps what takes longer than its time', async () => {
    await storeAll(database, someDevices(2));
    const gate = Promise.withResolvers<void>();
    const slow = scripted(async () => {
      await gate.promise;
      return SENT;
    });
    start(slow.provider);
    await until(() => expect(slow.pushes).toHaveLength(2));
    const other = scripted();
    start(other.provider);
    for (let seconds = 0; seconds < 120; seconds += 30) {
      const before = (await one()).next_at;
      clock.advance({ seconds: 30 });
      await until(async () => expect((await one()).next_at.getTime()).toBeGreaterThan(before.getTime()));
    }
    gate.resolve();
    await untilAll('sent', 2);
    expect(other.pushes).toEqual([]);
  });

  it('settles what is under way when it is stopped, and gives the rest back', async () => {
    await storeAll(database, someDevices(100));
    const gate = Promise.withResolvers<void>();
    const { provider, pushes } = scripted(async () => {
      await gate.promise;
      return SENT;
    }, 10);
    const delivery = start(provider);
    await until(() => expect(pushes).toHaveLength(10));
    const stopped = delivery.stop();
    gate.resolve();
    await stopped;
    const rows = await deliveriesOf(database);
    expect(rows.filter(({ state, untold }) => state === 'sent' && !untold)).toHaveLength(10);
    expect(rows.filter(({ state, attempts }) => state === 'queued' && attempts === 0)).toHaveLength(90);
    expect(pushes).toHaveLength(10);
    expect(events('PushSent')).toHaveLength(10);
  });

  it('goes on when PostgreSQL was away', async () => {
    const notificationId = await storeAll(database, someDevices(200));
    const chance = seeded();
    const failing: Database = {
      ...database,
      rows: async (text, values, planned) => {
        if (chance() < 0.3) throw new Error('Connection terminated');
        return database.rows<never>(text, values, planned);
      },
      transaction: async (run) => {
        if (chance() < 0.3) throw new Error('Connection terminated');
        return database.transaction(run);
      },
    };
    const { provider } = scripted(undefined, 20);
    start(provider, { database: failing, settings: { pageSize: 20 } });
    await until(async () => {
      clock.advance({ seconds: 5 });
      expect(await countsOf(database, notificationId)).toMatchObject({ targeted: 200, sent: 200 });
    });
  });
});

it('counts as many as there are, whatever became of them', async () => {
  const outcomes: PushOutcome[] = [
    SENT,
    { kind: 'drop', reason: 'gone', asOf: null },
    { kind: 'fail', reason: 'no' },
    { kind: 'retry', reason: 'later', retryAfterMs: null },
    { kind: 'wait', whom: 'device', reason: 'busy', retryAfterMs: 1_000 },
    { kind: 'wait', whom: 'all', reason: 'quota', retryAfterMs: null },
    { kind: 'unknown', reason: 'reset' },
  ];
  const ofADevice = fc.array(fc.constantFrom(...outcomes), { maxLength: 4 });
  const ofAnApp = fc.array(ofADevice, { minLength: 1, maxLength: 25 });
  let apps = 0;

  /** Stores an app with a device for each script, and a notification to them. */
  async function storeApp(scripts: readonly PushOutcome[][]) {
    const appId = id(0xf000 + apps++);
    const devices = scripts.map((_, n) => ({ id: id(0x1_000_000 + apps * 100 + n), appId }));
    await storeProvider(database, appId);
    await storeDevices(database, devices);
    const notificationId = await storeNotification(database, { appId, sendAt: new Date(clock()) });
    return { appId, notificationId, said: devices.map((device, n) => [`token ${device.id}`, scripts[n]!] as const) };
  }

  // Two workers send for several apps at once.
  await fc.assert(
    fc.asyncProperty(fc.array(ofAnApp, { minLength: 3, maxLength: 5 }), async (scripts) => {
      const stored = await Promise.all(scripts.map(storeApp));
      const said = new Map<string, readonly PushOutcome[]>(stored.flatMap((app) => app.said));
      const { provider } = scripted(({ token }, nth) => said.get(token)![nth - 1] ?? SENT, 5);
      const workers = [start(provider), start(provider)];
      await until(async () => {
        clock.advance({ seconds: 15 });
        for (const { notificationId, said } of stored) {
          const { sent, failed, unknown, targeted } = await countsOf(database, notificationId);
          expect(targeted).toBe(said.length);
          expect(sent + failed + unknown).toBe(said.length);
        }
      });
      await Promise.all(workers.map((worker) => worker.stop()));
      const all = await deliveriesOf(database);
      for (const { appId, notificationId } of stored) {
        const rows = all.filter((row) => row.notification_id === notificationId);
        const count = (state: string) => rows.filter((row) => row.state === state).length;
        expect(await countsOf(database, notificationId)).toMatchObject({
          sent: count('sent'),
          failed: count('failed'),
          unknown: count('unknown'),
        });
        expect(rows.filter(({ untold }) => untold)).toEqual([]);
        const dropped = await database.rows<{ id: string }>(
          'select id from push.devices where app_id = $1 and dropped_at is not null',
          [appId],
        );
        expect(dropped.length).toBe(rows.filter(({ reason }) => reason === 'gone').length);
        const drops = events('PushTokenDropped').filter(({ data }) => (data as { appId: string }).appId === appId);
        // This clock leaps, so the sweep may publish an event again before it is marked. It keeps its id.
        expect(new Set(drops.map(({ id }) => id)).size).toBe(dropped.length);
      }
    }),
    { numRuns: 4 },
  );
});
