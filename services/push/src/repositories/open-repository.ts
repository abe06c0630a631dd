import type { Platform } from '@landfall/contracts';
import { type ColumnTable, columnsOf, type Database } from '@landfall/db';

export interface NewOpen {
  readonly messageId: string;
  readonly appId: string;
  /** The id as the app sends it. */
  readonly notificationId: string;
  /** The same id, if it may be the id of one of our notifications. Otherwise null. */
  readonly ours: string | null;
  readonly tokenHash: string | null;
  readonly at: Date;
}

export interface Opened {
  readonly messageId: string;
  readonly known: boolean;
  readonly deviceId: string | null;
  readonly platform: Platform | null;
  /** True when no other message reported this open before. */
  readonly first: boolean;
}

export type OpenRepository = ReturnType<typeof openRepository>;

export function openRepository(database: Database) {
  return {
    /** Stores an open once for each notification and device. Each message occurs once in `opens`. */
    async record(opens: readonly NewOpen[]): Promise<Map<string, Opened>> {
      const known = byMessage(await database.rows(insertOpens, columns.valuesOf(opens)));
      // Earlier effects of a message are read only when there are some, which is rare.
      const before = opens.filter(({ messageId }) => !known.has(messageId));
      if (before.length === 0) return known;
      return new Map([...known, ...byMessage(await database.rows(readOpens, keyColumns.valuesOf(before)))]);
    },
  };
}

const byMessage = (opened: readonly Opened[]) => new Map(opened.map((one) => [one.messageId, one]));

const keys: ColumnTable<NewOpen> = {
  message_id: ['uuid', (o) => o.messageId],
  app_id: ['uuid', (o) => o.appId],
  notification_id: ['text', (o) => o.notificationId],
  token_hash: ['bytea', (o) => o.tokenHash],
};
const keyColumns = columnsOf(keys);
const columns = columnsOf<NewOpen>({ ...keys, at: ['timestamptz', (o) => o.at], ours: ['uuid', (o) => o.ours] });

/**
 * One statement, and so one commit. An open may be stored already, under its message, or under another message of the
 * same notification and device. A device that the notification was sent to is counted once. Rows are looked up one by
 * one: the planner does not know how few rows there are, and would read whole tables. All transactions lock
 * notifications in the same order.
 */
const insertOpens = `
  with inserted as (
    insert into push.opens (message_id, app_id, notification_id, token_hash, at, known, device_id, platform)
    select o.message_id, o.app_id, o.notification_id, o.token_hash, o.at, n.id is not null, d.id, d.platform
    from ${columns.unnest('o', 'place')}
    left join lateral (
      select id from push.notifications where id = o.ours and app_id = o.app_id limit 1
    ) n on true
    left join lateral (
      select id, platform from push.devices where app_id = o.app_id and token_hash = o.token_hash limit 1
    ) d on true
    order by o.app_id, o.notification_id, o.token_hash, o.place
    on conflict do nothing
    returning message_id, notification_id, at, known, device_id, platform
  ), opened as (
    select d.id, i.at from inserted i cross join lateral (
      select id from push.deliveries
      where notification_id = case when i.known then i.notification_id::uuid end and device_id = i.device_id limit 1
    ) d
  ), marked as (
    update push.deliveries d set opened_at = opened.at from opened where d.id = opened.id and d.opened_at is null
    returning d.notification_id
  ), counted as (
    select notification_id, count(*)::int as count from marked group by 1
  ), locked as (
    select id from push.notifications where id in (select notification_id from counted) order by id for update
  ), added as (
    update push.notifications n set opened = n.opened + counted.count
    from locked join counted on counted.notification_id = locked.id where n.id = locked.id
  )
  select message_id as "messageId", known, device_id as "deviceId", platform, true as first from inserted`;

const readOpens = `
  select k.message_id as "messageId", coalesce(own.known, other.known) as known, own.device_id as "deviceId", own.platform,
    own.message_id is not null as first
  from ${keyColumns.unnest('k')}
  left join lateral (
    select message_id, known, device_id, platform from push.opens where message_id = k.message_id limit 1
  ) own on true
  left join lateral (
    select known from push.opens
    where app_id = k.app_id and notification_id = k.notification_id and token_hash = k.token_hash limit 1
  ) other on own.message_id is null`;
