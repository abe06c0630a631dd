import type { Platform, PushDelivery } from '@landfall/contracts';
import { type Database, toBytes, toText } from '@landfall/db';
import type { Became, Known } from '../domain/explain.ts';
import type { Sent } from '../domain/history.ts';
import { DELETED } from './device-repository.ts';

export type KnownDevice = Known & { readonly emailBefore: string | null };

export type StoredDelivery = Became &
  Pick<PushDelivery, 'deviceId' | 'kind' | 'platform' | 'language'> & { readonly id: string };

interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The maximum number of deliveries that a page reads for a state without an index. */
const LOOKED = 10_000;
/** The maximum number of notifications that a page of a device looks at. Each costs one look into an index. */
const LOOKED_OF_DEVICE = 1_000;

const stored: Readonly<Record<StoredDelivery['state'], string>> = {
  queued: `d.state = 'queued'`,
  sent: `d.state = 'sent' and d.reason is distinct from 'logged'`,
  logged: `(d.state = 'logged' or d.state = 'sent' and d.reason = 'logged')`,
  failed: `d.state = 'failed'`,
  unknown: `d.state = 'unknown'`,
  stopped: `d.state = 'stopped'`,
};
/** The states that have an index. */
const ASTRAY: ReadonlySet<string> = new Set(['failed', 'unknown']);

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const AFTER_ALL: Place = { at: new Date(Date.UTC(9999, 0)), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export function deliveryRepository(database: Database) {
  return {
    /** In the order of the devices. `to`: the device after which the next page begins. Null at the end. */
    async list(
      notificationId: string,
      state: StoredDelivery['state'] | null,
      after: string | null,
      limit: number,
    ): Promise<{ deliveries: StoredDelivery[]; to: string | null }> {
      const from = after ?? BEFORE_ALL;
      const bounded = state !== null && !ASTRAY.has(state);
      const deliveries = await database.rows<StoredDelivery>(
        listStatement(state),
        [notificationId, from, limit, bounded ? LOOKED : limit],
        'anew',
      );
      if (deliveries.length === limit) return { deliveries, to: deliveries.at(-1)!.deviceId };
      if (!bounded) return { deliveries, to: null };
      const [further] = await database.rows<{ to: string }>(
        `select device_id as "to" from push.deliveries where notification_id = $1 and device_id > $2
         order by notification_id, device_id offset ${LOOKED - 1} limit 1`,
        [notificationId, from],
        'anew',
      );
      return { deliveries, to: further?.to ?? null };
    },

    ofDevices: (notificationId: string, deviceIds: readonly string[]): Promise<StoredDelivery[]> =>
      database.rows(
        `select ${columns} from push.deliveries d ${withDevice}
         where d.notification_id = $1 and d.device_id = any($2::uuid[])`,
        [notificationId, deviceIds],
        'anew',
      ),

    /** Returns the devices of an app on which the person is or was signed in, in the order of their ids. */
    async devicesOf(
      appId: string,
      email: string,
      platform: Platform | null,
      after: string | null,
      limit: number,
    ): Promise<KnownDevice[]> {
      const values = [appId, toBytes(email), after ?? BEFORE_ALL, limit, platform];
      const rows = await database.rows<DeviceRow>(devicesStatement, values, 'anew');
      return rows.map(toDevice);
    },

    /** Returns the devices of an app that get pushes, in the order of their ids. */
    async liveDevices(
      appId: string,
      platform: Platform | null,
      after: string | null,
      limit: number,
    ): Promise<KnownDevice[]> {
      const rows = await database.rows<DeviceRow>(
        `select ${deviceColumns} from push.devices v
         where v.app_id = $1 and v.dropped_at is null and v.id > $2 and ($4::text is null or v.platform = $4)
         order by v.app_id, v.id limit $3`,
        [appId, after ?? BEFORE_ALL, limit, platform],
        'anew',
      );
      return rows.map(toDevice);
    },

    async countLive(appId: string, platform: Platform | null): Promise<number> {
      const [row] = await database.rows<{ count: number }>(
        `select count(*)::int as count from push.devices v
         where v.app_id = $1 and v.dropped_at is null and ($2::text is null or v.platform = $2)`,
        [appId, platform],
        'anew',
      );
      return row!.count;
    },

    /** The ids are a range of the primary key. A deleted device is none. */
    async devicesWithId(appId: string, idStart: string, limit: number): Promise<KnownDevice[]> {
      const rows = await database.rows<DeviceRow>(
        `select ${deviceColumns} from push.devices v
         where id between $2 and $3 and app_id = $1 and drop_reason is distinct from '${DELETED}' order by id limit $4`,
        [appId, idStart.padEnd(32, '0'), idStart.padEnd(32, 'f'), limit],
        'anew',
      );
      return rows.map(toDevice);
    },

    async deviceOfToken(appId: string, tokenHash: string): Promise<KnownDevice | null> {
      const [row] = await database.rows<DeviceRow>(
        `select ${deviceColumns} from push.devices v
         where app_id = $1 and token_hash = $2 and drop_reason is distinct from '${DELETED}'`,
        [appId, toBytes(tokenHash)],
      );
      return row ? toDevice(row) : null;
    },

    async device(appId: string, deviceId: string): Promise<KnownDevice | null> {
      const [row] = await database.rows<DeviceRow>(
        `select ${deviceColumns} from push.devices v
         where id = $1 and app_id = $2 and drop_reason is distinct from '${DELETED}'`,
        [deviceId, appId],
      );
      return row ? toDevice(row) : null;
    },

    /**
     * Returns the notifications that went to a device, latest first. Deliveries have no index by device, because every
     * push to 100,000 devices would have to fill it. So this looks for the device in each notification of the app. `to`:
     * the notification after which the next page begins. Null at the end.
     */
    async sentTo(
      appId: string,
      deviceId: string,
      limit: number,
      after: Place | null,
    ): Promise<{ sent: Sent[]; to: Place | null }> {
      const { at, id } = after ?? AFTER_ALL;
      const values = [appId, at, id, deviceId, limit];
      const sent = await database.rows<Sent & { createdAt: Date }>(sentStatement, values, 'anew');
      const last = sent.at(-1);
      if (last && sent.length === limit) return { sent, to: { at: last.createdAt, id: last.notificationId } };
      const [further] = await database.rows<Place>(furtherStatement, [appId, at, id], 'anew');
      return { sent, to: further ?? null };
    },
  };
}

const outcome = `d.reason, d.attempts, d.next_at as "nextAt", d.ended_at as "endedAt", d.opened_at as "openedAt",
  case when d.reason = 'logged' and d.state = 'sent' then 'logged' else d.state end as state`;
const columns = `d.id, d.device_id as "deviceId", d.kind, ${outcome}, device.platform, device.language`;
const withDevice = `left join lateral (
    select v.platform, v.language from push.devices v where v.id = d.device_id limit 1
  ) device on true`;

const listStatement = (state: StoredDelivery['state'] | null): string => `
  select ${columns} from (
    select d.* from (
      select d.* from push.deliveries d
      where d.notification_id = $1 and d.device_id > $2 ${state !== null && ASTRAY.has(state) ? `and ${stored[state]}` : ''}
      order by d.notification_id, d.device_id limit $4
    ) d where ${state === null ? 'true' : stored[state]} order by d.device_id limit $3
  ) d ${withDevice} order by d.device_id`;

const deviceColumns = `v.id, v.platform, v.kind, v.environment, v.language, v.token_hash as "tokenHash", v.email,
  v.email_before as "emailBefore", v.email_since as "emailSince", v.first_seen as "firstSeen", v.last_seen as "lastSeen",
  v.dropped_at as "droppedAt", v.drop_reason as "dropReason"`;

const ofPlatform = 'and ($5::text is null or platform = $5)';

/** Each of the three subqueries has an index. */
const devicesStatement = `
  select ${deviceColumns} from (
    (select id from push.devices where app_id = $1 and email = $2 and email is not null and dropped_at is null and id > $3
     ${ofPlatform}
     order by app_id, email, id limit $4)
    union
    (select id from push.devices where app_id = $1 and email = $2 and email is not null and dropped_at is not null and id > $3
     ${ofPlatform}
     order by app_id, email, id limit $4)
    union
    (select id from push.devices where app_id = $1 and email_before = $2 and email_before is not null and id > $3
     ${ofPlatform}
     order by app_id, email_before, id limit $4)
    order by id limit $4
  ) known join push.devices v on v.id = known.id order by v.id`;

type Hashes = 'tokenHash' | 'email' | 'emailBefore';
type DeviceRow = Omit<KnownDevice, Hashes> & { readonly [hash in Hashes]: Buffer | null };

const toDevice = (row: DeviceRow): KnownDevice => ({
  ...row,
  tokenHash: toText(row.tokenHash)!,
  email: toText(row.email),
  emailBefore: toText(row.emailBefore),
});

/** Exported for the test of the query plans. */
export const sentStatement = `
  select n.id as "notificationId", n.created_at as "createdAt", n.message ->> 'title' as title, ${outcome}
  from (
    select id, created_at, message from push.notifications where app_id = $1 and (created_at, id) < ($2, $3)
    order by created_at desc, id desc limit ${LOOKED_OF_DEVICE}
  ) n cross join lateral (
    select * from push.deliveries d where d.notification_id = n.id and d.device_id = $4 limit 1
  ) d
  order by n.created_at desc, n.id desc limit $5`;

/** The last notification that a full page looked at. */
const furtherStatement = `
  select created_at as at, id from push.notifications where app_id = $1 and (created_at, id) < ($2, $3)
  order by created_at desc, id desc offset ${LOOKED_OF_DEVICE - 1} limit 1`;
