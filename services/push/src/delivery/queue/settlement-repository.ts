// Stores the outcomes of deliveries, many at a time, and which of them are unpublished.
import type { Platform } from '@landfall/contracts';
import { columnsOf, type Database, type Sql, type SqlTransaction } from '@landfall/db';
import type { NextStep } from '../../domain/verdict.ts';
import type { LaneId, Taken } from './queue-repository.ts';

export interface Settlement {
  readonly taken: Taken;
  readonly verdict: NextStep;
  /** Drops the device, unless it registered after it was read, or at `asOf` or later. */
  readonly drop: { readonly reason: string; readonly asOf: Date | null } | null;
}

/**
 * A rest of a lane: until a time, or until a person resumes it or sets new credentials. Applies only to the credentials
 * of this version.
 */
export interface LaneStop extends LaneId {
  readonly version: number;
  readonly waitUntil: Date | null;
  readonly pausedFor: string | null;
}

/** A delivery that ended, with the data of its event. */
export interface Ended extends Pick<Taken, 'id' | 'notificationId' | 'deviceId' | 'appId' | 'kind'> {
  /** Null when the device no longer exists. */
  readonly platform: Platform | null;
  readonly state: 'sent' | 'logged' | 'failed' | 'unknown';
  readonly reason: string | null;
  readonly endedAt: Date;
  /** The reason why this delivery dropped its device. Null when it dropped no device. */
  readonly dropReason: string | null;
}

export function settlementRepository(database: Database) {
  return {
    /**
     * Writes everything, or nothing. Returns the deliveries that this call ended. Skips a delivery that another worker has
     * taken since, because the lease was over. Writes the outcome `sent` in this case, too.
     */
    settle(
      settlements: readonly Settlement[],
      stops: readonly LaneStop[],
      told: readonly string[],
      now: Date,
    ): Promise<Ended[]> {
      return database.transaction(async (tx) => {
        if (told.length > 0)
          tx.send('update push.deliveries set untold = false where id = any($1::uuid[])', [told], 'anew');
        // Sent together, so that they take one round trip.
        const [written, dropped] = await Promise.all([
          writeDeliveries(tx, settlements, now),
          dropDevices(tx, settlements, now),
        ]);
        for (const stop of stops) stopLane(tx, stop, now);
        const ended = settlements.flatMap(({ taken, verdict, drop }): Ended[] => {
          // Stopped deliveries are neither published nor counted: the notification says that it was stopped.
          if (!written.has(taken.id) || verdict.state === 'queued' || verdict.state === 'stopped') return [];
          const { id, notificationId, deviceId, platform, appId, kind } = taken;
          const dropReason = dropped.has(id) ? drop!.reason : null;
          const { state, reason } = verdict;
          return [{ id, notificationId, deviceId, platform, appId, kind, state, reason, endedAt: now, dropReason }];
        });
        count(tx, ended);
        return ended;
      });
    },

    /**
     * Returns deliveries that ended before `before` and whose events are not published. The worker that had to publish
     * them has stopped, or failed to publish them.
     */
    findUntold: (before: Date, limit: number): Promise<Ended[]> =>
      database.rows(
        `select u.id, u.notification_id as "notificationId", u.app_id as "appId", u.device_id as "deviceId", u.kind, u.state,
           u.reason, u.ended_at as "endedAt", device."dropReason", device.platform
         from (
           select * from push.deliveries where untold and ended_at < $1 order by id limit $2
         ) u left join lateral (
           select d.platform, case when d.dropped_by = u.id then coalesce(d.drop_reason, u.reason) end as "dropReason"
           from push.devices d where d.id = u.device_id limit 1
         ) device on true`,
        [before, limit],
        'anew',
      ),
  };
}

async function writeDeliveries(tx: Sql, settlements: readonly Settlement[], now: Date): Promise<ReadonlySet<string>> {
  if (settlements.length === 0) return new Set();
  const inOrder = settlements.toSorted((a, b) => (a.taken.id < b.taken.id ? -1 : 1));
  const rows = await tx.rows<{ id: string }>(settleStatement, [...settlementColumns.valuesOf(inOrder), now], 'anew');
  return new Set(rows.map(({ id }) => id));
}

const settlementColumns = columnsOf<Settlement>({
  id: ['uuid', ({ taken }) => taken.id],
  attempts: ['int', ({ taken }) => taken.attempts],
  state: ['text', ({ verdict }) => verdict.state],
  attempts_left: [
    'int',
    ({ taken, verdict }) => taken.attempts - (verdict.state === 'queued' && !verdict.counted ? 1 : 0),
  ],
  /** Null: now. */
  next_at: ['timestamptz', ({ verdict }) => (verdict.state === 'queued' ? verdict.nextAt : null)],
  in_doubt: ['boolean', ({ taken, verdict }) => (verdict.state === 'queued' ? verdict.inDoubt : taken.inDoubt)],
  provider_id: ['text', ({ verdict }) => (verdict.state === 'sent' ? verdict.providerId : null)],
  reason: ['text', ({ verdict }) => verdict.reason],
});

const settleStatement = `
  update push.deliveries d set
    state = n.state, attempts = n.attempts_left, next_at = coalesce(n.next_at, $9), in_doubt = n.in_doubt,
    provider_id = n.provider_id, reason = n.reason, untold = n.state not in ('queued', 'stopped'),
    ended_at = case when n.state = 'queued' then null else $9::timestamptz end
  from ${settlementColumns.unnest('n')}
  where d.id = n.id and d.state = 'queued' and (d.attempts = n.attempts or n.state = 'sent')
  returning d.id`;

/**
 * Drops devices. Returns the ids of the deliveries that dropped a device: one id for each device. Runs after
 * `writeDeliveries`, and drops a device only where that wrote the outcome. If another worker has taken the delivery
 * since, that worker sends again, drops the device itself, and publishes it.
 */
async function dropDevices(tx: Sql, settlements: readonly Settlement[], now: Date): Promise<ReadonlySet<string>> {
  const drops = settlements.filter(({ drop, taken }) => drop && taken.registeredBy);
  if (drops.length === 0) return new Set();
  // Locks the devices in the same order as registrations do.
  const rows = await tx.rows<{ dropped_by: string }>(
    `with dead as materialized (
       select d.id, n.reason, n.dropped_by
       from ${dropColumns.unnest('n')}
       join push.deliveries written on written.id = n.dropped_by and written.state = 'failed' and written.attempts = n.attempts
       join push.devices d on d.id = n.id
       where d.dropped_at is null and d.registered_by = n.registered_by and (n.as_of is null or d.last_seen < n.as_of)
       order by d.app_id, d.token_hash for update of d
     )
     update push.devices d set dropped_at = $7, drop_reason = dead.reason, dropped_by = dead.dropped_by
     from dead where d.id = dead.id returning d.dropped_by`,
    [...dropColumns.valuesOf(drops), now],
    'anew',
  );
  return new Set(rows.map((row) => row.dropped_by));
}

const dropColumns = columnsOf<Settlement>({
  id: ['uuid', ({ taken }) => taken.deviceId],
  registered_by: ['uuid', ({ taken }) => taken.registeredBy],
  as_of: ['timestamptz', ({ drop }) => drop!.asOf],
  reason: ['text', ({ drop }) => drop!.reason],
  dropped_by: ['uuid', ({ taken }) => taken.id],
  attempts: ['int', ({ taken }) => taken.attempts],
});

function stopLane(tx: SqlTransaction, { appId, kind, version, waitUntil, pausedFor }: LaneStop, now: Date): void {
  tx.send(
    `update push.providers set
       wait_until = greatest(wait_until, $4::timestamptz),
       paused_at = case when $5::text is null then paused_at else coalesce(paused_at, $6::timestamptz) end,
       pause_reason = case when paused_at is null then coalesce($5::text, pause_reason) else pause_reason end
     where app_id = $1 and kind = $2 and version = $3`,
    [appId, kind, version, waitUntil, pausedFor, now],
  );
}

/**
 * Comes last, because transactions that settle other deliveries of the same notifications wait for these locks. Locks
 * the notifications in the order of their ids.
 */
function count(tx: SqlTransaction, ended: readonly Ended[]): void {
  const counts = [...Map.groupBy(ended, (one) => one.notificationId)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (counts.length === 0) return;
  const of = (state: Ended['state']) => counts.map(([, all]) => all.filter((one) => one.state === state).length);
  tx.send(
    `with counted as materialized (
       select n.id, c.sent, c.failed, c.unknown, c.logged
       from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[]) as c(id, sent, failed, unknown, logged)
       join push.notifications n on n.id = c.id order by n.id for update of n
     )
     update push.notifications n set
       sent = n.sent + c.sent, failed = n.failed + c.failed, unknown = n.unknown + c.unknown, logged = n.logged + c.logged
     from counted c where n.id = c.id`,
    [counts.map(([id]) => id), of('sent'), of('failed'), of('unknown'), of('logged')],
    'anew',
  );
}
