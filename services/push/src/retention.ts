// Deletes expired rows, a little at a time.
import { type Database, deleteInChunks, deleteOld, deleteRows, deletionAt, deletionOf } from '@landfall/db';
import { DELETED } from './repositories/device-repository.ts';

/** The settings with these names. */
type Retention = Record<'KEEP_PUSH_DAYS' | 'KEEP_AUDIT_DAYS' | 'KEEP_DEVICE_DAYS', number>;

/**
 * The maximum number of rows of each kind in one run. There is a run every hour, and it uses one connection for some
 * seconds.
 */
const MAX_ROWS = 500_000;
const DAY_MS = 86_400_000;
/** Days that the empty row of a deleted device is kept. No registration is delivered again after that. */
const DELETED_DAYS = 30;
/** The number of blocks that are read at a time from the file of the devices table: 16 MB. */
const BLOCKS = 2_000;

/**
 * Deletes rows that are older than `keep` allows, at most `maxRows` of each kind. Waits for no lock and blocks no other
 * transaction: rows that are in use are left for the next run. The age of a notification counts from the time at which
 * it was to be sent.
 */
export async function deletePushes(database: Database, now: Date, keep: Retention, maxRows = MAX_ROWS) {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const remove = (table: string, keptSince: Date) =>
    deleteOld(database, { table, where: 'at < $2', values: [keptSince] }, maxRows);
  return {
    ...(await deleteNotifications(database, before(keep.KEEP_PUSH_DAYS), maxRows)),
    opens: await remove('push.opens', before(keep.KEEP_PUSH_DAYS)),
    pushChanges: await remove('push.changes', before(keep.KEEP_AUDIT_DAYS)),
    pushDevices: await deleteDevices(database, before(keep.KEEP_DEVICE_DAYS), before(DELETED_DAYS), maxRows),
  };
}

/** Deletes a few notifications at a time, each after its deliveries. */
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
      deleteRows(database, pushDeletions.deliveries, [size, ids]),
    );
    const gone = await deleteRows(database, pushDeletions.notifications, [ids.length, ids]);
    deleted.notifications += gone;
    // Each notification that is left has rows in use.
    if (gone === 0) break;
  }
  return deleted;
}

/**
 * Reads the file of the table piece by piece, because `last_seen` has no index: every registration would have to update
 * such an index.
 */
async function deleteDevices(
  database: Database,
  keptSince: Date,
  deletedSince: Date,
  maxRows: number,
): Promise<number> {
  const [file] = await database.rows<{ blocks: number }>(
    `select (pg_relation_size('push.devices') / current_setting('block_size')::int)::int as blocks`,
  );
  let deleted = 0;
  for (let block = 0; block < file!.blocks && deleted < maxRows; block += BLOCKS) {
    const range = [`(${block},0)`, `(${block + BLOCKS},0)`];
    deleted += await deleteRows(database, pushDeletions.devices, [
      maxRows - deleted,
      keptSince,
      ...range,
      deletedSince,
    ]);
  }
  return deleted;
}

/** Exported for the test of the query plans. */
export const pushDeletions = {
  // Sorted in the order of the index. Without this order, the limit would make the planner search the whole table in
  // the hope of an early match.
  deliveries: deletionAt(
    'push.deliveries',
    `select d.ctid from unnest($2::uuid[]) as n(id) cross join lateral (
       select d.ctid from push.deliveries d where d.notification_id = n.id
       order by d.notification_id, d.device_id limit $1 for update skip locked
     ) d limit $1`,
  ),
  notifications: deletionOf(
    'push.notifications',
    'id = any($2::uuid[]) and not exists (select from push.deliveries d where d.notification_id = notifications.id)',
  ),
  devices: deletionOf(
    'push.devices',
    `ctid >= $3::tid and ctid < $4::tid and (last_seen < $2 or last_seen < $5 and drop_reason = '${DELETED}')`,
  ),
};
