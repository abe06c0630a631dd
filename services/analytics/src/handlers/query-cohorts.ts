import type { One } from '@landfall/bus';
import { COHORT_DAYS, type QueryCohorts } from '@landfall/contracts';
import { iso, isRefused, questionOf, rangeView } from '../domain/question.ts';
import { addDays, DAY_MS } from '../domain/zone.ts';
import type { FigureStore } from '../store.ts';

/** Counts installs by day, and how many of these devices came back on each day after. */
export function queryCohorts(store: FigureStore): One<typeof QueryCohorts> {
  return async (input, { now }) => {
    const asked = await questionOf(store, input, { metric: 'installs', groupBy: null, limit: 1, interval: 'day' }, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question, range } = asked;
    const { zone } = range;
    const [installs, activity, coverage] = await Promise.all([
      store.figures(question),
      store.activity({ ...question, metric: 'activeDevices' }),
      store.coverage(),
    ]);
    const devices = new Map(activity.map(({ bucket, installDay, devices }) => [`${bucket} ${installDay}`, devices]));
    const cohorts = range.buckets.map((start, bucket) => {
      const { day } = zone.at(start);
      const end = zone.dayStart(addDays(day, 1));
      // The last device of the day has had its day N only when day N + 1 begins for it.
      const isOver = (n: number) => end + (n + 1) * DAY_MS <= now.getTime();
      const active = Array.from({ length: COHORT_DAYS }, (_, i) =>
        isOver(i + 1) ? (devices.get(`${bucket} ${i + 1}`) ?? 0) : null,
      );
      return { day, installs: installs.values[bucket]!, active };
    });
    return { reply: { ...rangeView(range), cohorts, completeFrom: coverage && iso(coverage.factsFrom) } };
  };
}
