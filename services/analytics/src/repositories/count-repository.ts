// Changes counts in PostgreSQL, many at a time.
import type { SqlTransaction } from '@landfall/db';
import type { DayCount, HourCount } from '../domain/counting.ts';

/**
 * Adds to counts. All transactions must give them in one order, so that no two wait for each other.
 */
export function countRepository(tx: SqlTransaction) {
  return {
    addDays(counts: readonly DayCount[]): void {
      if (counts.length === 0) return;
      tx.send(
        `insert into analytics.day_counts as c (app_id, metric, dimension, day, value, n)
         select * from unnest($1::uuid[], $2::text[], $3::text[], $4::date[], $5::text[], $6::bigint[])
         on conflict (app_id, metric, dimension, day, value) do update set n = c.n + excluded.n`,
        [
          counts.map((c) => c.appId),
          counts.map((c) => c.metric),
          counts.map((c) => c.dimension),
          counts.map((c) => c.day),
          counts.map((c) => c.value),
          counts.map((c) => c.n),
        ],
      );
    },

    addHours(counts: readonly HourCount[]): void {
      if (counts.length === 0) return;
      tx.send(
        `insert into analytics.hour_counts as c (app_id, metric, hour, n)
         select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bigint[])
         on conflict (app_id, metric, hour) do update set n = c.n + excluded.n`,
        [
          counts.map((c) => c.appId),
          counts.map((c) => c.metric),
          counts.map((c) => new Date(c.hour)),
          counts.map((c) => c.n),
        ],
      );
    },
  };
}
