// Measures the queue for the metrics, at a bounded cost.
import type { Sql } from '@landfall/db';
import { type LaneState, queueRepository } from './queue-repository.ts';

export interface QueueMeasures {
  /** The number of queued deliveries that are due, in lanes that are not paused. At most {@link MOST}. */
  readonly due: number;
  readonly oldestMs: number;
  readonly paused: number;
}

const MOST = 100_000;
/** The maximum number of lanes that are read. */
const LANES = 1_000;

export function measureRepository(sql: Sql) {
  return {
    async measure(now: Date): Promise<QueueMeasures> {
      const lanes = (await queueRepository(sql).findLanes(null, LANES)).filter(
        (lane) => !lane.paused && lane.firstAt <= now,
      );
      const [counted] = await sql.rows<{ due: number; paused: number }>(
        `select (
           select count(*)::int from (
             select from unnest($1::uuid[], $2::text[]) as lane(app_id, kind) cross join lateral (
               select from push.deliveries d
               where d.state = 'queued' and d.app_id = lane.app_id and d.kind = lane.kind and d.next_at <= $3 limit ${MOST}
             ) due limit ${MOST}
           ) due
         ) as due, (select count(*)::int from push.providers where paused_at is not null) as paused`,
        [lanes.map((lane) => lane.appId), lanes.map((lane) => lane.kind), now],
        'anew',
      );
      const oldest = lanes.reduce<LaneState | null>((a, b) => (a && a.firstAt <= b.firstAt ? a : b), null);
      return { ...counted!, oldestMs: oldest ? now.getTime() - oldest.firstAt.getTime() : 0 };
    },
  };
}
