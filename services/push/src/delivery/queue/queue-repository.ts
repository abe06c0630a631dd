// The queue in PostgreSQL: finds the lanes that have due deliveries, and takes deliveries out.
import type { Platform, PushEnvironment, PushKind } from '@landfall/contracts';
import { type ColumnTable, columnsOf, type Sql } from '@landfall/db';
import type { Stored } from '../../domain/notification.ts';
import { readMessage } from '../../stored-message.ts';

/** The deliveries of an app through one provider. */
export interface LaneId {
  readonly appId: string;
  readonly kind: PushKind;
}

/** A lane that has queued deliveries. */
export interface LaneState extends LaneId {
  /** The time when its first delivery is due. */
  readonly firstAt: Date;
  /** The version of the app's credentials. Null when the app has none. */
  readonly version: number | null;
  readonly waitUntil: Date | null;
  readonly paused: boolean;
}

/** A lane, and the number of deliveries to take from it. */
type Share = LaneId & { readonly most: number };

/** A delivery that was taken out of the queue, with the device as it was then. */
export interface Taken extends LaneId {
  readonly id: string;
  readonly notificationId: string;
  readonly deviceId: string;
  /** The number of attempts, including the attempt that it was taken for. */
  readonly attempts: number;
  readonly inDoubt: boolean;
  /** The reason why the previous attempt did not send it. */
  readonly reason: string | null;
  /** Null when the device no longer exists. */
  readonly token: string | null;
  readonly environment: PushEnvironment | null;
  readonly platform: Platform;
  /** A BCP 47 tag. */
  readonly language: string | null;
  /** The id of the message of the device's last registration. */
  readonly registeredBy: string | null;
  readonly dropped: boolean;
}

/** The notification to send. */
export type DueNotification = Pick<Stored, 'id' | 'message' | 'expiresAt'>;

export interface QueueMeasures {
  /** The number of queued deliveries that are due, in lanes that are not paused. At most {@link MOST_COUNTED}. */
  readonly due: number;
  readonly oldestMs: number;
  readonly paused: number;
}

const MOST_COUNTED = 100_000;
/** The maximum number of lanes that a measurement reads. */
const LANES = 1_000;

export function queueRepository(sql: Sql) {
  return {
    /**
     * Returns lanes that have queued deliveries, at most `limit`, in order, after the lane `after`. Takes one step in
     * the index for each lane, so the cost does not grow with the queue.
     */
    findLanes: (after: LaneId | null, limit: number): Promise<LaneState[]> =>
      sql.rows(lanesStatement, [after?.appId ?? BEFORE_ALL, after?.kind ?? '', limit], 'anew'),

    /** Returns the sealed credentials of these lanes. Lanes without credentials are left out. */
    async readCredentials(lanes: readonly LaneId[]): Promise<(LaneId & { credentials: string; version: number })[]> {
      if (lanes.length === 0) return [];
      return sql.rows(
        `select p.app_id as "appId", p.kind, p.credentials, p.version
         from ${laneColumns.unnest('n')} join push.providers p using (app_id, kind)`,
        laneColumns.valuesOf(lanes),
      );
    },

    /**
     * Takes up to `most` due deliveries of each lane, the oldest first, and counts an attempt for each. The caller
     * holds them until `until`. After that, any worker may take them. Skips deliveries that another worker is taking.
     */
    takeDue: (shares: readonly Share[], now: Date, until: Date): Promise<Taken[]> =>
      sql.rows(takeStatement, [...shareColumns.valuesOf(shares), now, until], 'anew'),

    /**
     * Takes up to `most` deliveries of each lane whose notifications have expired, in the same way as `takeDue`. For lanes
     * that rest, because no other function finds these deliveries there. Reads the latest 10,000 notifications of an app.
     */
    takeExpired: (shares: readonly Share[], now: Date, until: Date): Promise<Taken[]> =>
      sql.rows(expiredStatement, [...shareColumns.valuesOf(shares), now, until], 'anew'),

    /** Prolongs the lease of these deliveries to `until`, unless another worker has taken them. */
    async prolong(held: readonly Pick<Taken, 'id' | 'attempts'>[], until: Date): Promise<void> {
      await sql.rows(
        `update push.deliveries d set next_at = $3 from unnest($1::uuid[], $2::int[]) as n(id, attempts)
         where d.id = n.id and d.state = 'queued' and d.attempts = n.attempts`,
        [held.map((one) => one.id), held.map((one) => one.attempts), until],
        'anew',
      );
    },

    /**
     * Returns, for each of these, whether a device of the same platform and language has been sent the same
     * notification by the same provider. Reads the first 10,000 deliveries of a notification.
     */
    async wereSent(likes: readonly Like[]): Promise<boolean[]> {
      const rows = await sql.rows<{ nth: number }>(
        `select n.nth::int from ${likeColumns.unnest('n', 'nth')}
         where exists (
           select from (
             select d.device_id, d.kind, d.state from push.deliveries d
             where d.notification_id = n.notification_id order by d.notification_id, d.device_id limit 10000
           ) d join push.devices device on device.id = d.device_id
           where d.state = 'sent' and d.kind = n.kind and device.platform = n.platform
             and device.language is not distinct from n.language
         )`,
        likeColumns.valuesOf(likes),
        'anew',
      );
      const sent = new Set(rows.map(({ nth }) => nth));
      return likes.map((_, at) => sent.has(at + 1));
    },

    async readNotifications(ids: readonly string[]): Promise<DueNotification[]> {
      const rows = await sql.rows<{ id: string; message: unknown; expiresAt: Date }>(
        'select id, message, expires_at as "expiresAt" from push.notifications where id = any($1::uuid[])',
        [ids],
      );
      return rows.map((row) => ({ ...row, message: readMessage(row.message) }));
    },

    /** Measures the queue for the metrics, at a bounded cost. */
    async measure(now: Date): Promise<QueueMeasures> {
      const lanes = (await this.findLanes(null, LANES)).filter((lane) => !lane.paused && lane.firstAt <= now);
      const [counted] = await sql.rows<{ due: number; paused: number }>(
        `select (
           select count(*)::int from (
             select from ${laneColumns.unnest('lane')} cross join lateral (
               select from push.deliveries d
               where d.state = 'queued' and d.app_id = lane.app_id and d.kind = lane.kind and d.next_at <= $3
               limit ${MOST_COUNTED}
             ) due limit ${MOST_COUNTED}
           ) due
         ) as due, (select count(*)::int from push.providers where paused_at is not null) as paused`,
        [...laneColumns.valuesOf(lanes), now],
        'anew',
      );
      const oldest = Math.min(now.getTime(), ...lanes.map(({ firstAt }) => firstAt.getTime()));
      return { ...counted!, oldestMs: now.getTime() - oldest };
    },
  };
}

const lane: ColumnTable<LaneId> = { app_id: ['uuid', (l) => l.appId], kind: ['text', (l) => l.kind] };
const laneColumns = columnsOf(lane);
const shareColumns = columnsOf<Share>({ ...lane, most: ['int', (share) => share.most] });

type Like = Pick<Taken, 'notificationId' | 'kind' | 'platform' | 'language'>;
const likeColumns = columnsOf<Like>({
  notification_id: ['uuid', (like) => like.notificationId],
  kind: ['text', (like) => like.kind],
  platform: ['text', (like) => like.platform],
  language: ['text', (like) => like.language],
});

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const firstAfter = (app: string, kind: string) => `
  select d.app_id, d.kind, d.next_at from push.deliveries d
  where d.state = 'queued' and (d.app_id, d.kind) > (${app}, ${kind})
  order by d.app_id, d.kind, d.next_at limit 1`;

const lanesStatement = `
  with recursive lane as (
    (${firstAfter('$1::uuid', '$2::text')})
    union all
    select n.* from lane cross join lateral (${firstAfter('lane.app_id', 'lane.kind')}) n
  ), found as materialized (select * from lane limit $3)
  select found.app_id as "appId", found.kind, found.next_at as "firstAt", p.version, p.wait_until as "waitUntil",
    p.paused_at is not null as paused
  from found left join lateral (
    select * from push.providers p where p.app_id = found.app_id and p.kind = found.kind limit 1
  ) p on true`;

/**
 * Finds the rows by their physical place and reads the devices one by one. With a join, the plan would depend on the
 * planner's estimate of the number of rows.
 */
const takeFrom = (places: string) => `
  with taken as (
    update push.deliveries set attempts = attempts + 1, next_at = $5
    where ctid = any(array(${places})) and state = 'queued'
    returning id, notification_id, app_id, device_id, kind, attempts, in_doubt, reason
  )
  select taken.id, notification_id as "notificationId", app_id as "appId", device_id as "deviceId", kind, attempts,
    in_doubt as "inDoubt", reason, token, environment, coalesce(platform, 'android') as platform, language,
    registered_by as "registeredBy", coalesce(dropped, true) as dropped
  from taken left join lateral (
    select d.token, d.environment, d.platform, d.language, d.registered_by, d.dropped_at is not null as dropped
    from push.devices d where d.id = taken.device_id limit 1
  ) device on true`;

const takeStatement = takeFrom(`
  select due.ctid from ${shareColumns.unnest('lane')} cross join lateral (
    select d.ctid from push.deliveries d
    where d.state = 'queued' and d.app_id = lane.app_id and d.kind = lane.kind and d.next_at <= $4
    order by d.app_id, d.kind, d.next_at limit lane.most for update skip locked
  ) due`);

const expiredStatement = takeFrom(`
  select due.ctid from ${shareColumns.unnest('lane')} cross join lateral (
    select d.ctid from (
      select n.* from push.notifications n where n.app_id = lane.app_id order by n.created_at desc, n.id desc limit 10000
    ) n cross join lateral (
      select d.ctid from push.deliveries d
      where d.notification_id = n.id and d.state = 'queued' and d.kind = lane.kind and d.next_at <= $4
      order by d.notification_id, d.device_id limit lane.most for update skip locked
    ) d
    where n.expires_at <= $4 and n.expanded > n.sent + n.failed + n.unknown + n.logged
    limit lane.most
  ) due`);
