// Reads notifications that were stopped while they were being sent, and ends their queued deliveries, in PostgreSQL.
import type { Sql } from '@landfall/db';

export function stoppedRepository(sql: Sql) {
  return {
    /** Returns stopped notifications that may still have queued deliveries, those that were stopped first come first. */
    async find(limit: number): Promise<string[]> {
      const rows = await sql.rows<{ id: string }>(
        'select id from push.notifications where stopping order by stopped_at limit $1',
        [limit],
      );
      return rows.map(({ id }) => id);
    },

    /** Records that no delivery of the notification is queued any more. */
    async end(notificationId: string): Promise<void> {
      await sql.rows('update push.notifications set stopping = false where id = $1', [notificationId]);
    },

    /**
     * Ends the queued deliveries of a page, in the order of their devices. Leaves deliveries that a worker may hold. A
     * lease ends before `farAt`. A delivery that is due after `farAt` waits for another attempt, so no worker holds it.
     */
    async endPage(
      notificationId: string,
      { after, size, now, farAt }: { after: string | null; size: number; now: Date; farAt: Date },
    ): Promise<StoppedPage> {
      const values = [notificationId, after ?? BEFORE_ALL, size, now, farAt];
      const [page] = await sql.rows<StoppedPage>(stoppedStatement, values, 'anew');
      return page!;
    },
  };
}

interface StoppedPage {
  /** The last device that was read. Null when there are no more devices. */
  readonly to: string | null;
  /** The number of deliveries that are still queued. A worker holds them, or the outcome of an attempt is unknown. */
  readonly left: number;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const stoppedStatement = `
  with page as materialized (
    select ctid, device_id, state, next_at, in_doubt from push.deliveries
    where notification_id = $1 and device_id > $2 order by notification_id, device_id limit $3
  ), free as materialized (
    select d.ctid from push.deliveries d
    where d.ctid = any(array(select ctid from page where state = 'queued' and not in_doubt))
      and d.state = 'queued' and (d.next_at <= $4 or d.next_at > $5)
    for update skip locked
  ), ended as (
    update push.deliveries d set state = 'stopped', reason = 'stopped', ended_at = $4
    where d.ctid = any(array(select ctid from free)) and d.state = 'queued' and (d.next_at <= $4 or d.next_at > $5)
    returning 1
  )
  select (select device_id from page order by device_id desc limit 1) as to,
    (select count(*)::int from page where state = 'queued') - (select count(*)::int from ended) as left`;
