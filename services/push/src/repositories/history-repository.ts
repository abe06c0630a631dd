// Reads the notifications that went to one device, from PostgreSQL.
import type { Database } from '@landfall/db';
import type { Sent } from '../domain/history.ts';

/** A place in the list of an app's notifications. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The maximum number of notifications that a page looks at. Each costs one look into an index. */
const LOOKED = 1_000;

export function historyRepository(database: Database) {
  return {
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
      const place = [appId, after?.at ?? END, after?.id ?? LAST_ID];
      const sent = await database.rows<Sent & { createdAt: Date }>(sentStatement, [...place, deviceId, limit], 'anew');
      const last = sent.at(-1);
      if (last && sent.length === limit) return { sent, to: { at: last.createdAt, id: last.notificationId } };
      const [further] = await database.rows<Place>(furtherStatement, place, 'anew');
      return { sent, to: further ?? null };
    },
  };
}

const END = new Date(Date.UTC(9999, 0));
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Exported for the test of the query plans. */
export const sentStatement = `
  select n.id as "notificationId", n.created_at as "createdAt", n.message ->> 'title' as title, d.reason, d.attempts,
    d.next_at as "nextAt", d.ended_at as "endedAt", d.opened_at as "openedAt",
    case when d.reason = 'logged' and d.state = 'sent' then 'logged' else d.state end as state
  from (
    select id, created_at, message from push.notifications where app_id = $1 and (created_at, id) < ($2, $3)
    order by created_at desc, id desc limit ${LOOKED}
  ) n cross join lateral (
    select * from push.deliveries d where d.notification_id = n.id and d.device_id = $4 limit 1
  ) d
  order by n.created_at desc, n.id desc limit $5`;

/** The last notification that a full page looked at. */
const furtherStatement = `
  select created_at as at, id from push.notifications where app_id = $1 and (created_at, id) < ($2, $3)
  order by created_at desc, id desc offset ${LOOKED - 1} limit 1`;
