// A push worker on PostgreSQL, with a provider that does as it is told and ears for what it tells.
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { type DataOf, type EventDef, PushFailed, PushSent, PushTokenDropped } from '@landfall/contracts';
import { connect, createTestDatabase, type Database, isTransient, type TestDatabase } from '@landfall/db';
import { type Clock, fakeClock, testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, inject, vi } from 'vitest';
import type { Provider } from '../providers/provider.ts';
import { type Delivery, type DeliveryParts, startDelivery } from './delivery.ts';
import {
  APP,
  deliveriesOf,
  opener,
  START,
  scripted,
  someDevices,
  storeDevices,
  storeNotification,
  storeProvider,
} from './test-queue.ts';

/** Anew for each test; valid inside tests and hooks. */
interface House {
  database: Database;
  bus: InProcessBus;
  clock: Clock;
  /** Every event, in order. */
  told: { event: string; id: string; data: DataOf<EventDef> }[];
}

/** Registers the hooks of a file, and gives what its tests say and ask. */
export function deliveryHouse() {
  const house = {} as House;
  let testDatabase: TestDatabase;
  let running: Delivery[];

  beforeEach(async () => {
    testDatabase = await createTestDatabase(inject('databaseServerUrl'));
    house.database = connect({ url: testDatabase.url, max: 8 });
    house.clock = fakeClock(START.toISOString());
    house.bus = createInProcessBus({ log: testLogger(), isTransient, clock: house.clock, queueSize: 10_000 });
    house.told = [];
    for (const event of [PushSent, PushFailed, PushTokenDropped]) {
      house.bus.listen('test', event, async (batch) => {
        for (const { data, context } of batch) house.told.push({ event: event.name, id: context.id, data });
      });
    }
    await house.bus.start();
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((delivery) => delivery.stop()));
    await house.bus.stop();
    await house.database.close();
    await testDatabase.drop();
  });

  /** A worker whose every app has this provider. */
  function start(provider: Provider, parts: Partial<DeliveryParts> = {}): Delivery {
    const delivery = startDelivery({
      database: house.database,
      bus: house.bus,
      log: testLogger(),
      providers: { get: () => provider, without: () => null },
      sealer: opener,
      now: house.clock,
      random: () => 0.5,
      ...parts,
      settings: { pollMs: 10, stopMs: 2_000, ...parts.settings },
    });
    running.push(delivery);
    return delivery;
  }

  /** One device, one notification, and a provider that answers so. */
  async function oneTo(
    outcome: Parameters<typeof scripted>[0],
    notification: Parameters<typeof storeNotification>[1] = {},
  ) {
    await storeProvider(house.database);
    await storeDevices(house.database, someDevices(1));
    const notificationId = await storeNotification(house.database, notification);
    const script = scripted(outcome);
    start(script.provider);
    return { ...script, notificationId, deviceId: someDevices(1)[0]!.id };
  }

  const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 15_000, interval: 10 });
  const states = async () => (await deliveriesOf(house.database)).map(({ state }) => state);
  const untilAll = (state: string, count: number) =>
    until(async () => expect(await states()).toEqual(Array.from({ length: count }, () => state)));
  const untilTold = () =>
    until(async () => {
      const rows = await deliveriesOf(house.database);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter((row) => row.state === 'queued' || row.untold)).toEqual([]);
    });
  const one = async () => (await deliveriesOf(house.database))[0]!;
  const events = (name: string) => house.told.filter(({ event }) => event === name);
  const deviceRow = async (deviceId: string) =>
    (
      await house.database.rows<{ dropped_at: Date | null; drop_reason: string | null }>(
        'select * from push.devices where id = $1',
        [deviceId],
      )
    )[0]!;
  const providerRow = async (appId = APP) =>
    (
      await house.database.rows<{ paused_at: Date | null; pause_reason: string | null; wait_until: Date | null }>(
        'select * from push.providers where app_id = $1',
        [appId],
      )
    )[0]!;

  return { house, start, oneTo, until, states, untilAll, untilTold, one, events, deviceRow, providerRow };
}
