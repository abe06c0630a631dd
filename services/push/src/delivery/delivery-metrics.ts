import type { PushKind } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { type Metrics, pushMetricTable } from '@landfall/runtime';
import type { PushOutcome } from '../domain/outcomes.ts';
import { type QueueMeasures, queueRepository } from './queue/queue-repository.ts';
import type { Ended } from './queue/settlement-repository.ts';

export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;

const EVERY_MS = 30_000;

export function deliveryMetrics(
  metrics: Pick<Metrics, 'add' | 'count'>,
  { database, now, underWay }: { database: Database; now: () => Date; underWay: () => number },
) {
  const attempts = metrics.count(pushMetricTable.attempts);
  const pushes = metrics.count(pushMetricTable.pushes);
  const dropped = metrics.count(pushMetricTable.dropped);
  let measured: QueueMeasures | undefined;
  let measuredAt = 0;
  metrics.add(pushMetricTable.underWay, underWay);
  metrics.add(pushMetricTable.due, () => measured?.due ?? []);
  metrics.add(pushMetricTable.oldest, () => (measured ? measured.oldestMs / 1000 : []));
  metrics.add(pushMetricTable.paused, () => measured?.paused ?? []);
  return {
    attempted: (kind: PushKind, outcome: PushOutcome): void => attempts(kind, outcome.kind),
    ended(ended: readonly Ended[]): void {
      for (const { kind, state, dropReason } of ended) {
        pushes(kind, state);
        if (dropReason !== null) dropped(kind);
      }
    },
    /** Measures the queue, if the last measurement is at least 30 seconds old. */
    async measure(): Promise<void> {
      const at = now();
      if (at.getTime() - measuredAt < EVERY_MS) return;
      measuredAt = at.getTime();
      measured = await queueRepository(database).measure(at);
    },
  };
}
