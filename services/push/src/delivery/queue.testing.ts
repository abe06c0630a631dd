// Helpers for tests of the queue: devices and notifications in the tables, and a fake provider.
import { createHash, randomUUID } from 'node:crypto';
import type { PushKind, PushTarget } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { PushOutcome } from '../domain/outcome.ts';
import type { Push, PushProvider } from '../providers/provider.ts';

export const id = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const bytesOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export const APP = id(0xa);
export const OTHER_APP = id(0xb);
export const START = new Date('2026-11-15T12:00:00.000Z');
export const everybody: PushTarget = { platform: null, emails: null, tokens: null, seenWithinDays: null };

export const SENT: PushOutcome = { kind: 'sent', providerId: 'taken', logged: false };

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

/** Stores devices. The token of a device is `token <id>`. */
export async function storeDevices(database: Database, devices: readonly DeviceToStore[]): Promise<void> {
  await database.rows(
    `insert into push.devices (id, app_id, token_hash, token, kind, platform, email, first_seen, last_seen, registered_by, dropped_at)
     select d.id, d.app_id, d.token_hash, 'token ' || d.id, d.kind, d.platform, d.email, d.last_seen, d.last_seen, d.id, d.dropped_at
     from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[], $8::timestamptz[])
       as d(id, app_id, token_hash, kind, platform, email, last_seen, dropped_at)`,
    [
      devices.map((d) => d.id),
      devices.map((d) => d.appId ?? APP),
      devices.map((d) => bytesOf(`token ${d.id}`)),
      devices.map((d) => d.kind ?? 'fcm'),
      devices.map((d) => d.platform ?? 'android'),
      devices.map((d) => (d.email ? bytesOf(d.email) : null)),
      devices.map((d) => d.lastSeen ?? new Date(START.getTime() - 86_400_000)),
      devices.map((d) => d.droppedAt ?? null),
    ],
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
  const message = {
    title: 'Hello',
    body: 'Landfall',
    destinationPath: '/hello',
    metadata: {},
    imageUrl: null,
    sound: null,
    badge: null,
    collapseKey: null,
  };
  await database.rows(
    `insert into push.notifications (id, app_id, message, target, input_hash, created_at, send_at, expires_at, targeted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      appId,
      JSON.stringify(message),
      JSON.stringify({ ...everybody, ...target }),
      bytesOf(id),
      START,
      sendAt,
      new Date(sendAt.getTime() + ttlMs),
      targeted,
    ],
  );
  return id;
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

/** Returns a database that can stop answering, as for a worker that is killed. After that, no query is answered. */
export function mortal(database: Database): { database: Database; kill(): void; afterTransactions(n: number): void } {
  let dead = false;
  let left = Number.POSITIVE_INFINITY;
  const never = new Promise<never>(() => {});
  return {
    database: {
      ...database,
      rows: async (text, values, planned) => {
        if (dead) return never;
        const rows = await database.rows<never>(text, values, planned);
        return dead ? never : rows;
      },
      transaction: async (run) => {
        if (dead) return never;
        const result = await database.transaction(run);
        if (--left <= 0) dead = true;
        return dead ? never : result;
      },
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
