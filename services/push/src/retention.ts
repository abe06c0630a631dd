// What nobody needs any more is deleted, a little at a time.
import type { Database } from '@landfall/db';
import { deleteInChunks } from '@landfall/worker';

export interface PushRetention {
  /** Notifications, their deliveries, and opens. At least 30: so long an idempotency key is good. */
  pushDays: number;
  /** The audit log. */
  auditDays: number;
  /** Devices, dropped or not, since they registered last. Firebase refuses them after 270 days. */
  deviceDays: number;
}

export interface DeletedPushes {
  deliveries: number;
  notifications: number;
  opens: number;
  pushChanges: number;
  pushDevices: number;
}

/** Every hour: some seconds of one connection. */
const MAX_ROWS = 500_000;
const DAY_MS = 86_400_000;
/** Of the file that devices lie in, 16 MB. */
const BLOCKS = 2_000;

/**
 * Deletes what is older than `keep` says, at most `maxRows` of each kind. Waits for nobody and holds nobody up: rows that are in
 * use are left for the next time. How old a notification is counts from when it was to be sent.
 */
export async function deletePushes(
  database: Database,
  now: Date,
  keep: PushRetention,
  maxRows = MAX_ROWS,
): Promise<DeletedPushes> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const inChunks = (statement: string, keptSince: Date) =>
    deleteInChunks(maxRows, (size) => count(database, statement, [keptSince, size]));
  return {
    ...(await deleteNotifications(database, before(keep.pushDays), maxRows)),
    opens: await inChunks(pushDeletions.opens, before(keep.pushDays)),
    pushChanges: await inChunks(pushDeletions.changes, before(keep.auditDays)),
    pushDevices: await deleteDevices(database, before(keep.deviceDays), maxRows),
  };
}

/** A few at a time, each after its deliveries. */
async function deleteNotifications(database: Database, keptSince: Date, maxRows: number) {
  const deleted = { deliveries: 0, notifications: 0 };
  while (deleted.deliveries < maxRows && deleted.notifications < maxRows) {
    const old = await database.rows<{ id: string }>(
      'select id from push.notifications where created_at < $1 and send_at < $1 limit 100',
      [keptSince],
    );
    if (old.length === 0) break;
    const ids = old.map(({ id }) => id);
    deleted.deliveries += await deleteInChunks(maxRows - deleted.deliveries, (size) =>
      count(database, pushDeletions.deliveries, [ids, size]),
    );
    const gone = await count(database, pushDeletions.notifications, [ids, ids.length]);
    deleted.notifications += gone;
    // Something of each that is left is in use.
    if (gone === 0) break;
  }
  return deleted;
}

/**
 * By a piece of the file at a time: when a device was last seen has no index, because every registration would have to
 * write it.
 */
async function deleteDevices(database: Database, keptSince: Date, maxRows: number): Promise<number> {
  const [file] = await database.rows<{ blocks: number }>(
    `select (pg_relation_size('push.devices') / current_setting('block_size')::int)::int as blocks`,
  );
  let deleted = 0;
  for (let block = 0; block < file!.blocks && deleted < maxRows; block += BLOCKS) {
    const range = [`(${block},0)`, `(${block + BLOCKS},0)`];
    deleted += await count(database, pushDeletions.devices, [keptSince, maxRows - deleted, ...range]);
  }
  return deleted;
}

async function count(database: Database, statement: string, values: readonly unknown[]): Promise<number> {
  const [gone] = await database.rows<{ count: number }>(statement, values, 'anew');
  return gone!.count;
}

/** Deletes by where rows lie: joined by their key, the planner may read the whole table for each chunk. */
const deletionOf = (table: string, places: string) => `
  with gone as (delete from push.${table} where ctid = any (array(${places})) returning 1)
  select count(*)::int as count from gone`;

/** At most $2. */
const deletion = (table: string, condition: string) =>
  deletionOf(table, `select ctid from push.${table} where ${condition} limit $2 for update skip locked`);

/** For the test of their plans. */
export const pushDeletions = {
  // In the order of their index, or a limit would have the planner hope to find them soon in the whole table.
  deliveries: deletionOf(
    'deliveries',
    `select d.ctid from unnest($1::uuid[]) as n(id) cross join lateral (
       select d.ctid from push.deliveries d where d.notification_id = n.id
       order by d.notification_id, d.device_id limit $2 for update skip locked
     ) d limit $2`,
  ),
  notifications: deletion(
    'notifications',
    'id = any($1::uuid[]) and not exists (select from push.deliveries d where d.notification_id = notifications.id)',
  ),
  opens: deletion('opens', 'at < $1'),
  changes: deletion('changes', 'at < $1'),
  devices: deletion('devices', 'ctid >= $3::tid and ctid < $4::tid and last_seen < $1'),
};
