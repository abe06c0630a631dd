// Helpers for tests of the queue: a database, workers, devices and notifications in the tables, and a fake provider.
import { randomUUID } from 'node:crypto';
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import type { PushKind, PushTarget } from '@landfall/contracts';
import { columnsOf, type Database, isTransient, toBytes } from '@landfall/db';
import { suiteDatabase } from '@landfall/db/fixture';
import { emptyTestDatabase } from '@landfall/db/testing';
import { type Clock, fakeClock, testLogger } from '@landfall/testkit';
import { beforeEach, vi } from 'vitest';
import type { PushOutcome } from '../domain/outcomes.ts';
import type { Push, PushProvider } from '../providers/provider.ts';
import { withoutPlain } from '../stored-message.ts';
import { everybody, hashOf, id, message } from '../values.testing.ts';
import { type DeliveryParts, type PushDelivery, startDelivery } from './delivery.ts';

export const APP = id(0xa);
export const OTHER_APP = id(0xb);
export const START = new Date('2026-11-15T12:00:00.000Z');

export const SENT: PushOutcome = { kind: 'sent', providerId: 'taken', logged: false };

export interface Queue {
  readonly url: string;
  readonly database: Database;
  readonly bus: InProcessBus;
  readonly clock: Clock;
  /** Starts a worker that uses this provider for every app. It stops after the test. */
  start(provider: PushProvider, parts?: Partial<DeliveryParts>): PushDelivery;
}

/**
 * Gives each test a bus and an empty database.
 * @param use called before each test, and before the bus starts
 */
export function eachWithQueue(use: (queue: Queue) => void): void {
  const suite = suiteDatabase(8);
  beforeEach(async () => {
    const { database, url } = suite;
    await emptyTestDatabase(database);
    const clock = fakeClock(START.toISOString());
    const log = testLogger();
    const bus = createInProcessBus({ log, isTransient, clock, queueSize: 10_000 });
    const running: PushDelivery[] = [];
    const start: Queue['start'] = (provider, parts = {}) => {
      const providers = { get: () => provider, without: () => null };
      const metrics = { add() {}, count: () => () => {} };
      const settings = { pollMs: 20, stopMs: 2_000, ...parts.settings };
      const fixed = { database, bus, log, providers, sealer: opener, metrics, now: clock, random: () => 0.5 };
      const delivery = startDelivery({ ...fixed, ...parts, settings });
      running.push(delivery);
      return delivery;
    };
    use({ url, database, bus, clock, start });
    await bus.start();
    return async () => {
      await Promise.all(running.map((delivery) => delivery.stop()));
      await bus.stop();
      await Promise.all(leftByTheDead.splice(0));
    };
  });
}

export const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 15_000, interval: 20 });

/** Creates a fake provider that answers with `outcome` and records the pushes that it gets. */
export function scripted(
  outcome: (push: Push, nth: number) => PushOutcome | Promise<PushOutcome> = () => SENT,
  atOnce = 100,
) {
  const pushes: Push[] = [];
  let underWay = 0;
  let most = 0;
  const provider: PushProvider = {
    atOnce,
    async send(push) {
      pushes.push(push);
      most = Math.max(most, ++underWay);
      try {
        return await outcome(push, pushes.filter(({ id }) => id === push.id).length);
      } finally {
        underWay--;
      }
    },
    check: async () => null,
    close: async () => {},
  };
  return { provider, pushes, mostAtOnce: () => most };
}

export interface DeviceToStore {
  id: string;
  appId?: string;
  kind?: PushKind;
  platform?: 'ios' | 'android';
  email?: string | null;
  lastSeen?: Date;
  droppedAt?: Date | null;
}

const deviceColumns = columnsOf<DeviceToStore>({
  id: ['uuid', (d) => d.id],
  app_id: ['uuid', (d) => d.appId ?? APP],
  token: ['text', (d) => `token ${d.id}`],
  token_hash: ['bytea', (d) => toBytes(hashOf(`token ${d.id}`))],
  kind: ['text', (d) => d.kind ?? 'fcm'],
  platform: ['text', (d) => d.platform ?? 'android'],
  email: ['bytea', (d) => toBytes(d.email ? hashOf(d.email) : null)],
  last_seen: ['timestamptz', (d) => d.lastSeen ?? new Date(START.getTime() - 86_400_000)],
  dropped_at: ['timestamptz', (d) => d.droppedAt ?? null],
});

/** Stores devices. The token of a device is `token <id>`. */
export async function storeDevices(database: Database, devices: readonly DeviceToStore[]): Promise<void> {
  await database.rows(
    `insert into push.devices (id, app_id, token, token_hash, kind, platform, email, last_seen, dropped_at, first_seen, registered_by)
     select d.*, d.last_seen, d.id from ${deviceColumns.unnest('d')}`,
    deviceColumns.valuesOf(devices),
  );
}

export const someDevices = (count: number, appId = APP, kind: PushKind = 'fcm'): DeviceToStore[] =>
  Array.from({ length: count }, (_, n) => ({
    id: id(0x1000 + n + (appId === APP ? 0 : 0x100000) + (kind === 'fcm' ? 0 : 0x200000)),
    appId,
    kind,
  }));

export async function storeProvider(
  database: Database,
  appId = APP,
  kind: PushKind = 'fcm',
  version = 1,
): Promise<void> {
  await database.rows(
    `insert into push.providers (app_id, kind, credentials, facts, set_at, version) values ($1, $2, $3, '{}', $4, $5)
     on conflict (app_id, kind) do update set credentials = excluded.credentials, version = excluded.version, paused_at = null, pause_reason = null, wait_until = null`,
    [appId, kind, `sealed ${version}`, START, version],
  );
}

/** Opens the credentials that {@link storeProvider} stores. */
export const opener = { open: (_: string, sealed: string) => sealed.replace('sealed', 'credentials') };

export interface NotificationToStore {
  id?: string;
  appId?: string;
  target?: Partial<PushTarget>;
  sendAt?: Date;
  ttlMs?: number;
  targeted?: number;
}

export async function storeNotification(database: Database, given: NotificationToStore = {}): Promise<string> {
  const { id = randomUUID(), appId = APP, target = {}, sendAt = START, ttlMs = 86_400_000, targeted = 0 } = given;
  await database.rows(
    `insert into push.notifications (id, app_id, message, target, input_hash, created_at, send_at, expires_at, targeted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      appId,
      JSON.stringify(withoutPlain(message)),
      JSON.stringify({ ...everybody, ...target }),
      toBytes(hashOf(id)),
      START,
      sendAt,
      new Date(sendAt.getTime() + ttlMs),
      targeted,
    ],
  );
  return id;
}

/** Stores credentials, devices, and a notification to them. Returns the id of the notification. */
export async function storeAll(
  database: Database,
  devices: readonly DeviceToStore[],
  notification?: NotificationToStore,
): Promise<string> {
  await storeProvider(database);
  await storeDevices(database, devices);
  return storeNotification(database, notification);
}

export interface DeliveryRow {
  id: string;
  notification_id: string;
  device_id: string;
  state: string;
  attempts: number;
  next_at: Date;
  in_doubt: boolean;
  provider_id: string | null;
  reason: string | null;
  ended_at: Date | null;
  untold: boolean;
}

export const deliveriesOf = (database: Database): Promise<DeliveryRow[]> =>
  database.rows<DeliveryRow>('select * from push.deliveries order by notification_id, device_id');

export async function countsOf(database: Database, notificationId: string) {
  const [row] = await database.rows<{
    targeted: number;
    sent: number;
    failed: number;
    unknown: number;
    expanded_at: Date | null;
  }>('select targeted, sent, failed, unknown, expanded_at from push.notifications where id = $1', [notificationId]);
  return row!;
}

/** The statements of killed workers. The next test begins when they are done. */
const leftByTheDead: Promise<unknown>[] = [];

/** Returns a database that can stop answering, as for a worker that is killed. After that, no query is answered. */
export function mortal(database: Database): { database: Database; kill(): void; afterTransactions(n: number): void } {
  let dead = false;
  let left = Number.POSITIVE_INFINITY;
  const never = new Promise<never>(() => {});
  async function unlessDead<T>(ask: () => Promise<T>): Promise<T> {
    if (dead) return never;
    const asked = ask();
    leftByTheDead.push(asked.catch(() => {}));
    const answer = await asked;
    return dead ? never : answer;
  }
  return {
    database: {
      ...database,
      rows: (text, values, planned) => unlessDead(() => database.rows<never>(text, values, planned)),
      transaction: (run) =>
        unlessDead(async () => {
          const result = await database.transaction(run);
          if (--left <= 0) dead = true;
          return result;
        }),
    },
    kill() {
      dead = true;
    },
    /** Stops answering when `n` more transactions are committed. The caller gets no answer for the last of them. */
    afterTransactions(n) {
      left = n;
    },
  };
}
