// What becomes of a push, whatever its provider says.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../providers/provider.ts';
import { deliveryId } from './expansion-repository.ts';
import { deliveryHouse } from './test-delivery.ts';
import {
  APP,
  countsOf,
  deliveriesOf,
  hashOf,
  id,
  OTHER_APP,
  SENT,
  START,
  scripted,
  someDevices,
  storeDevices,
  storeNotification,
  storeProvider,
} from './test-queue.ts';

const { house, start, until, states, untilAll, untilTold, events, deviceRow, providerRow, one, oneTo } =
  deliveryHouse();

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
    expect(house.told).toMatchObject([
      { event: 'PushSent', data: { notificationId, deviceId, appId: APP, kind: 'fcm', logged: false } },
    ]);
    expect(await countsOf(house.database, notificationId)).toMatchObject({
      targeted: 1,
      sent: 1,
      failed: 0,
      unknown: 0,
    });
  });

  it('drop: failed, and the token is dropped and told once', async () => {
    const { deviceId, notificationId } = await oneTo(() => ({ kind: 'drop', reason: 'UNREGISTERED', asOf: null }));
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'UNREGISTERED' });
    expect(await deviceRow(deviceId)).toMatchObject({ drop_reason: 'UNREGISTERED', dropped_at: expect.any(Date) });
    expect(events('PushTokenDropped')).toMatchObject([{ data: { deviceId, reason: 'UNREGISTERED' } }]);
    expect(events('PushFailed')).toMatchObject([{ data: { outcome: 'failed', reason: 'UNREGISTERED' } }]);
    expect(await countsOf(house.database, notificationId)).toMatchObject({ failed: 1 });
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
      await house.database.rows('update push.devices set registered_by = $1 where token = $2', [id(7), token]);
      return { kind: 'drop', reason: 'UNREGISTERED', asOf: null };
    });
    await untilTold();
    expect(await deviceRow(deviceId)).toMatchObject({ dropped_at: null });
    expect(events('PushTokenDropped')).toEqual([]);
  });

  it('fail: failed, and the token is kept', async () => {
    const { deviceId } = await oneTo(() => ({ kind: 'fail', reason: 'PayloadTooLarge' }));
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'PayloadTooLarge' });
    expect(await deviceRow(deviceId)).toMatchObject({ dropped_at: null });
  });

  it('retry: again after a while with the same id, until it is sent', async () => {
    const { pushes } = await oneTo((_, nth) =>
      nth < 3 ? { kind: 'retry', reason: 'INTERNAL', retryAfterMs: null } : SENT,
    );
    for (const attempts of [1, 2]) {
      await until(async () => expect(await one()).toMatchObject({ state: 'queued', attempts, reason: 'INTERNAL' }));
      await until(async () => expect((await one()).next_at.getTime() - house.clock()).toBeLessThan(2_000));
      house.clock.advance({ minutes: 1 });
    }
    await untilTold();
    expect(new Set(pushes.map((push) => push.id)).size).toBe(1);
    expect(await one()).toMatchObject({ state: 'sent', attempts: 3 });
  });

  it('retry, for ever: failed after ten attempts', async () => {
    const { pushes } = await oneTo(() => ({ kind: 'retry', reason: 'INTERNAL', retryAfterMs: 0 }), {
      ttlMs: 30 * 86_400_000,
    });
    await until(async () => {
      house.clock.advance({ seconds: 2 });
      expect(await states()).toEqual(['failed']);
    });
    expect(pushes).toHaveLength(10);
    expect(await one()).toMatchObject({ reason: 'INTERNAL', attempts: 10 });
  });

  it('wait, of the device: only that push waits, as long as was asked', async () => {
    await storeProvider(house.database);
    const devices = someDevices(3);
    await storeDevices(house.database, devices);
    await storeNotification(house.database);
    const busy = `token ${devices[1]!.id}`;
    const { provider } = scripted(({ token }, nth) =>
      token === busy && nth === 1
        ? { kind: 'wait', whom: 'device', reason: 'TooManyRequests', retryAfterMs: 60_000 }
        : SENT,
    );
    start(provider);
    await until(async () => expect((await states()).toSorted()).toEqual(['queued', 'sent', 'sent']));
    const waiting = (await deliveriesOf(house.database)).find(({ state }) => state === 'queued')!;
    expect(waiting.next_at.getTime() - START.getTime()).toBeGreaterThan(59_000);
    expect(await providerRow()).toMatchObject({ wait_until: null });
    house.clock.advance({ seconds: 62 });
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
    // What comes meanwhile waits, too.
    await storeNotification(house.database);
    await until(async () => expect(await states()).toEqual(['queued', 'queued']));
    expect(pushes).toHaveLength(1);
    house.clock.advance({ seconds: 40 });
    await untilAll('sent', 2);
  });

  it('pause: nothing is lost, and everything is sent once the credentials are mended', async () => {
    await storeProvider(house.database);
    await storeProvider(house.database, OTHER_APP);
    await storeDevices(house.database, [...someDevices(50), ...someDevices(50, OTHER_APP)]);
    await storeNotification(house.database);
    await storeNotification(house.database, { appId: OTHER_APP });
    const refused: Outcome = { kind: 'pause', reason: 'SENDER_ID_MISMATCH' };
    const bad = scripted(() => refused, 10);
    const good = scripted();
    start(good.provider, {
      providers: {
        get: (appId, _, credentials) =>
          appId === APP && credentials === 'credentials 1' ? bad.provider : good.provider,
        without: () => null,
      },
    });
    await until(async () =>
      expect((await states()).toSorted()).toEqual([...Array(50).fill('queued'), ...Array(50).fill('sent')]),
    );
    await until(async () => {
      const rows = (await deliveriesOf(house.database)).filter(({ state }) => state === 'queued');
      expect(rows.every(({ attempts }) => attempts === 0)).toBe(true);
    });
    expect(bad.pushes.length).toBeLessThanOrEqual(10);
    expect(await providerRow()).toMatchObject({ paused_at: expect.any(Date), pause_reason: 'SENDER_ID_MISMATCH' });
    expect(await providerRow(OTHER_APP)).toMatchObject({ paused_at: null });
    expect(await house.database.rows('select 1 from push.devices where dropped_at is not null')).toEqual([]);
    await storeProvider(house.database, APP, 'fcm', 2);
    await untilAll('sent', 100);
  });

  it('unknown, once: sent once more with the same id after a while', async () => {
    const { pushes } = await oneTo((_, nth) => (nth === 1 ? { kind: 'unknown', reason: 'timeout' } : SENT));
    await until(async () => expect(await one()).toMatchObject({ state: 'queued', in_doubt: true, attempts: 1 }));
    expect(pushes).toHaveLength(1);
    house.clock.advance({ seconds: 21 });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'sent', attempts: 2 });
    expect(pushes[0]!.id).toBe(pushes[1]!.id);
  });

  it('unknown, twice: unknown it stays', async () => {
    const { pushes, notificationId } = await oneTo(() => ({ kind: 'unknown', reason: 'timeout' }));
    await until(async () => expect(await one()).toMatchObject({ in_doubt: true }));
    house.clock.advance({ seconds: 21 });
    await untilTold();
    expect(await one()).toMatchObject({ state: 'unknown', reason: 'timeout' });
    expect(pushes).toHaveLength(2);
    expect(events('PushFailed')).toMatchObject([{ data: { outcome: 'unknown', reason: 'timeout' } }]);
    expect(await countsOf(house.database, notificationId)).toMatchObject({ sent: 0, failed: 0, unknown: 1 });
  });

  it('nothing, ever: unknown, and the lane goes on', async () => {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(2));
    await storeNotification(house.database);
    const silent = `token ${someDevices(1)[0]!.id}`;
    const { provider } = scripted(({ token }) => (token === silent ? new Promise<never>(() => {}) : SENT));
    start(provider, { settings: { stopMs: 100 } });
    await until(async () => expect((await states()).toSorted()).toEqual(['queued', 'sent']));
    for (const state of ['queued', 'unknown']) {
      house.clock.advance({ minutes: 6 });
      await until(async () => {
        house.clock.advance({ seconds: 20 });
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
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(1_200));
    await house.database.rows('update push.providers set paused_at = $1', [START]);
    const notificationId = await storeNotification(house.database, { ttlMs: 60_000 });
    const later = await storeNotification(house.database, { target: { tokens: [hashOf(`token ${id(0x1000)}`)] } });
    const { provider, pushes } = scripted();
    start(provider);
    await untilAll('queued', 1_201);
    house.clock.advance({ minutes: 3 });
    await until(async () =>
      expect(await countsOf(house.database, notificationId)).toMatchObject({ targeted: 1_200, failed: 1_200 }),
    );
    expect(await countsOf(house.database, later)).toMatchObject({ targeted: 1, failed: 0 });
    expect(pushes).toEqual([]);
  });

  it('to a device that was dropped meanwhile', async () => {
    await storeDevices(house.database, someDevices(2));
    await storeNotification(house.database);
    const { provider, pushes } = scripted();
    await storeProvider(house.database);
    await house.database.rows('update push.providers set wait_until = $1', [new Date(START.getTime() + 60_000)]);
    start(provider);
    await untilAll('queued', 2);
    await house.database.rows('update push.devices set dropped_at = $1 where id = $2', [START, someDevices(1)[0]!.id]);
    house.clock.advance({ minutes: 2 });
    await untilTold();
    expect(pushes).toHaveLength(1);
    expect(await one()).toMatchObject({ state: 'failed', reason: 'token-dropped' });
  });

  it('without credentials: it fails, or is logged', async () => {
    await storeDevices(house.database, [...someDevices(1), ...someDevices(1, OTHER_APP)]);
    await storeNotification(house.database);
    const first = start(scripted().provider);
    await untilTold();
    expect(await one()).toMatchObject({ state: 'failed', reason: 'no-credentials' });
    await first.stop();
    await storeNotification(house.database, { appId: OTHER_APP });
    const logs = scripted(() => ({ kind: 'sent', providerId: null, logged: true }));
    start(scripted().provider, { providers: { get: () => scripted().provider, without: () => logs.provider } });
    await until(() => expect(logs.pushes).toHaveLength(1));
    await untilTold();
    expect(events('PushSent')).toMatchObject([{ data: { appId: OTHER_APP, logged: true } }]);
  });
});
