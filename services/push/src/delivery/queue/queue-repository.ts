// The queue in PostgreSQL: finds the lanes that have due deliveries, and takes deliveries out.
import type { Platform, PushEnvironment, PushKind, PushMessage } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
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

export function queueRepository(sql: Sql) {
  return {
    /**
     * Returns lanes that have queued deliveries, at most `limit`, in order, after the lane `after`. Takes one step in
     * the index for each lane, so the cost does not grow with the queue.
     */
    async findLanes(after: LaneId | null, limit: number): Promise<LaneState[]> {
      const rows = await sql.rows<{
        app_id: string;
        kind: PushKind;
        next_at: Date;
        version: number | null;
        wait_until: Date | null;
        paused: boolean;
      }>(lanesStatement, [after?.appId ?? BEFORE_ALL, after?.kind ?? '', limit], 'anew');
      return rows.map((row) => ({
        appId: row.app_id,
        kind: row.kind,
        firstAt: row.next_at,
        version: row.version,
        waitUntil: row.wait_until,
        paused: row.paused,
      }));
    },

    /** Returns the sealed credentials of these lanes. Lanes without credentials are left out. */
    async readCredentials(lanes: readonly LaneId[]): Promise<(LaneId & { credentials: string; version: number })[]> {
      if (lanes.length === 0) return [];
      const rows = await sql.rows<{ app_id: string; kind: PushKind; credentials: string; version: number }>(
        `select p.app_id, p.kind, p.credentials, p.version
         from unnest($1::uuid[], $2::text[]) as n(app_id, kind) join push.providers p using (app_id, kind)`,
        [lanes.map((lane) => lane.appId), lanes.map((lane) => lane.kind)],
      );
      return rows.map((row) => ({
        appId: row.app_id,
        kind: row.kind,
        credentials: row.credentials,
        version: row.version,
      }));
    },

    /**
     * Takes up to `most` due deliveries of each lane, the oldest first, and counts an attempt for each. The caller
     * holds them until `until`. After that, any worker may take them. Skips deliveries that another worker is taking.
     */
    async takeDue(lanes: readonly (LaneId & { most: number })[], now: Date, until: Date): Promise<Taken[]> {
      return take(sql, takeStatement, lanes, now, until);
    },

    /**
     * Takes up to `most` deliveries of each lane whose notifications have expired, in the same way as `takeDue`. For lanes
     * that rest, because no other function finds these deliveries there. Reads the latest 10,000 notifications of an app.
     */
    async takeExpired(lanes: readonly (LaneId & { most: number })[], now: Date, until: Date): Promise<Taken[]> {
      return take(sql, expiredStatement, lanes, now, until);
    },

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
    async wereSent(
      likes: readonly Pick<Taken, 'notificationId' | 'kind' | 'platform' | 'language'>[],
    ): Promise<boolean[]> {
      const rows = await sql.rows<{ nth: number }>(
        `select n.nth::int from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
           as n(notification_id, kind, platform, language, nth)
         where exists (
           select from (
             select d.device_id, d.kind, d.state from push.deliveries d
             where d.notification_id = n.notification_id order by d.notification_id, d.device_id limit 10000
           ) d join push.devices device on device.id = d.device_id
           where d.state = 'sent' and d.kind = n.kind and device.platform = n.platform
             and device.language is not distinct from n.language
         )`,
        [
          likes.map((like) => like.notificationId),
          likes.map((like) => like.kind),
          likes.map((like) => like.platform),
          likes.map((like) => like.language),
        ],
        'anew',
      );
      const sent = new Set(rows.map(({ nth }) => nth));
      return likes.map((_, at) => sent.has(at + 1));
    },

    async readNotifications(ids: readonly string[]): Promise<DueNotification[]> {
      const rows = await sql.rows<{ id: string; message: unknown; expires_at: Date }>(
        'select id, message, expires_at from push.notifications where id = any($1::uuid[])',
        [ids],
      );
      return rows.map((row) => ({
        id: row.id,
        message: readMessage(row.message),
        expiresAt: row.expires_at,
      }));
    },
  };
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const firstAfter = (app: string, kind: string) => `
  select d.app_id, d.kind, d.next_at from push.deliveries d
  where d.state = 'queued' and (d.app_id, d.kind) > (${app}, ${kind})
  order by d.app_id, d.kind, d.next_at limit 1`;

export const lanesStatement = `
  with recursive lane as (
    (${firstAfter('$1::uuid', '$2::text')})
    union all
    select n.* from lane cross join lateral (${firstAfter('lane.app_id', 'lane.kind')}) n
  ), found as materialized (select * from lane limit $3)
  select found.*, p.version, p.wait_until, p.paused_at is not null as paused
  from found left join lateral (
    select * from push.providers p where p.app_id = found.app_id and p.kind = found.kind limit 1
  ) p on true`;

/** A delivery that was taken out of the queue, with the device as it was then. */
export interface Taken extends LaneId {
  readonly id: string;
  readonly notificationId: string;
  readonly deviceId: string;
  /** The number of attempts, including the attempt that it was taken for. */
  readonly attempts: number;
  readonly inDoubt: boolean;
  /** The reason why the previous attempt did not send it. Null when there was no previous attempt. */
  readonly reason: string | null;
  /** Null when the device no longer exists. */
  readonly token: string | null;
  readonly environment: PushEnvironment | null;
  readonly platform: Platform;
  /** A BCP 47 tag. Null when the language is unknown. */
  readonly language: string | null;
  /** The id of the message of the device's last registration. */
  readonly registeredBy: string | null;
  readonly dropped: boolean;
}

async function take(
  sql: Sql,
  statement: string,
  lanes: readonly (LaneId & { most: number })[],
  now: Date,
  until: Date,
): Promise<Taken[]> {
  const rows = await sql.rows<TakenRow>(
    statement,
    [lanes.map((lane) => lane.appId), lanes.map((lane) => lane.kind), lanes.map((lane) => lane.most), now, until],
    'anew',
  );
  return rows.map((row) => ({
    id: row.id,
    notificationId: row.notification_id,
    appId: row.app_id,
    deviceId: row.device_id,
    kind: row.kind,
    attempts: row.attempts,
    inDoubt: row.in_doubt,
    reason: row.reason,
    token: row.token,
    environment: row.environment,
    platform: row.platform ?? 'android',
    language: row.language,
    registeredBy: row.registered_by,
    dropped: row.dropped ?? true,
  }));
}

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
  select taken.*, device.token, device.environment, device.platform, device.language, device.registered_by, device.dropped
  from taken left join lateral (
    select d.token, d.environment, d.platform, d.language, d.registered_by, d.dropped_at is not null as dropped
    from push.devices d where d.id = taken.device_id limit 1
  ) device on true`;

export const takeStatement = takeFrom(`
  select due.ctid from unnest($1::uuid[], $2::text[], $3::int[]) as lane(app_id, kind, most) cross join lateral (
    select d.ctid from push.deliveries d
    where d.state = 'queued' and d.app_id = lane.app_id and d.kind = lane.kind and d.next_at <= $4
    order by d.app_id, d.kind, d.next_at limit lane.most for update skip locked
  ) due`);

const expiredStatement = takeFrom(`
  select due.ctid from unnest($1::uuid[], $2::text[], $3::int[]) as lane(app_id, kind, most) cross join lateral (
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

/** The notification to send. */
export interface DueNotification {
  readonly id: string;
  readonly message: PushMessage;
  readonly expiresAt: Date;
}

interface TakenRow {
  id: string;
  notification_id: string;
  app_id: string;
  device_id: string;
  kind: PushKind;
  attempts: number;
  in_doubt: boolean;
  reason: string | null;
  token: string | null;
  environment: PushEnvironment | null;
  platform: Platform | null;
  language: string | null;
  registered_by: string | null;
  dropped: boolean | null;
}
