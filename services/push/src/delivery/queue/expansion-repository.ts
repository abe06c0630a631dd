// Reads due notifications and creates their deliveries, in PostgreSQL.
import { uuid5 } from '@landfall/bus';
import type { PushKind } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Stored } from '../../domain/notification.ts';

/** A notification that is being expanded. */
export interface Expanding extends Pick<Stored, 'id' | 'appId' | 'target' | 'sendAt'> {
  /** The last device that was read. Null at the start. */
  readonly to: string | null;
  /** The number of deliveries so far. */
  readonly made: number;
}

export function expansionRepository(database: Database) {
  return {
    /** Takes due notifications that no worker holds, the most overdue first. The caller holds them until `until`. */
    takeDue: (now: Date, until: Date, limit: number): Promise<Expanding[]> =>
      database.rows(
        `update push.notifications set leased_until = $2 where id = any(array(
           select id from push.notifications
           where expanded_at is null and cancelled_at is null and send_at <= $1
             and (leased_until is null or leased_until <= $1)
           order by send_at limit $3 for update skip locked
         ))
         returning id, app_id as "appId", target, send_at as "sendAt", expanded_to as "to", expanded as made`,
        [now, until, limit],
      ),

    /** Gives notifications back, so that any worker may take them at once. */
    async giveBack(taken: readonly Expanding[]): Promise<void> {
      const ids = taken.map(({ id }) => id);
      await database.rows('update push.notifications set leased_until = null where id = any($1::uuid[])', [ids]);
    },

    /**
     * Returns the next live devices of the target, at most `size`. Devices that do not match also count towards `size`,
     * so that a page reads a bounded number of rows.
     */
    async readPage(of: Expanding, size: number): Promise<DevicePage> {
      const { platform, emails, tokens, seenWithinDays } = of.target;
      const seenSince = seenWithinDays === null ? null : new Date(of.sendAt.getTime() - seenWithinDays * 86_400_000);
      const values = [of.appId, of.to ?? BEFORE_ALL, size, platform, seenSince, emails && bytesOf(emails)];
      const rows = await database.rows<{ id: string; kind: PushKind; hit: boolean }>(
        tokens ? byToken : emails ? byEmail : byApp,
        tokens ? [...values, bytesOf(tokens)] : values,
        'anew',
      );
      return { devices: rows.filter(({ hit }) => hit), to: rows.at(-1)?.id ?? of.to, last: rows.length < size };
    },

    /**
     * Creates the deliveries of a page and moves the notification on, in one transaction. Returns the notification in
     * its new state. Returns null when another worker has moved it on, or when it is cancelled.
     */
    async writePage(of: Expanding, page: DevicePage, now: Date, until: Date): Promise<Expanding | null> {
      const { devices } = page;
      try {
        return await database.transaction(async (tx) => {
          if (devices.length > 0) {
            const ids = devices.map((d) => d.id);
            const deliveries = ids.map((id) => deliveryId(of.id, id));
            tx.send(
              `insert into push.deliveries (id, notification_id, app_id, device_id, kind, next_at)
               select d.id, $1, $2, d.device_id, d.kind, $3
               from unnest($4::uuid[], $5::uuid[], $6::text[]) as d(id, device_id, kind)
               on conflict (id) do nothing`,
              [of.id, of.appId, of.sendAt, deliveries, ids, devices.map((d) => d.kind)],
            );
          }
          const [moved] = await tx.rows<{ expanded: number }>(
            `update push.notifications set
               expanded_to = $2, expanded = expanded + $3, leased_until = $4, expanded_at = $5,
               targeted = case when $5::timestamptz is null then targeted else expanded + $3 end
             where id = $1 and expanded_to is not distinct from $6::uuid and expanded_at is null and cancelled_at is null
             returning expanded`,
            [of.id, page.to, devices.length, until, page.last ? now : null, of.to],
          );
          if (!moved) throw new MovedOn();
          return { ...of, to: page.to, made: moved.expanded };
        });
      } catch (error) {
        if (error instanceof MovedOn) return null;
        throw error;
      }
    },
  };
}

/** A page of devices, in the order of their ids. */
export interface DevicePage {
  readonly devices: readonly { id: string; kind: PushKind }[];
  /** The last device that was read, even if it is not in `devices`. */
  readonly to: string | null;
  /** True when there are no more devices. */
  readonly last: boolean;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const bytesOf = (hashes: readonly string[]) => [...new Set(hashes)].map((hash) => Buffer.from(hash, 'base64url'));

const hit = `($4::text is null or platform = $4) and ($5::timestamptz is null or last_seen >= $5)
       and ($6::bytea[] is null or coalesce(email = any($6), false)) as hit`;
const columns = 'd.id, d.kind, d.platform, d.last_seen, d.email';

const byApp = `
  select id, kind, ${hit}
  from (
    select ${columns} from push.devices d
    where d.app_id = $1 and d.dropped_at is null and d.id > $2 order by d.id limit $3
  ) page order by id`;

/** Reads at most one page of devices for each person, even for a person who has a million devices. */
const byEmail = `
  select id, kind, ${hit}
  from (
    select d.* from unnest($6::bytea[]) as named(email) cross join lateral (
      select ${columns} from push.devices d
      where d.app_id = $1 and d.email = named.email and d.dropped_at is null and d.email is not null and d.id > $2
      order by d.id limit $3
    ) d order by d.id limit $3
  ) page order by id`;

const byToken = `
  select id, kind, ${hit}
  from (
    select d.* from unnest($7::bytea[]) as named(token_hash) cross join lateral (
      select ${columns} from push.devices d
      where d.app_id = $1 and d.token_hash = named.token_hash and d.dropped_at is null and d.id > $2
    ) d order by d.id limit $3
  ) page order by id`;

/** Returns the id of the delivery of a notification to a device. Every worker computes the same id. */
export const deliveryId = (notificationId: string, deviceId: string): string => uuid5(notificationId, deviceId);

/** Thrown to undo the transaction. */
class MovedOn extends Error {}
