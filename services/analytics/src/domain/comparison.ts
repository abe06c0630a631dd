// The period with which a range is compared.
import type { Question } from '../store.ts';
import { dimensionsOf, isRefused } from './question.ts';
import { type Bucketed, before, bucketed, monthsBefore, rounded } from './range.ts';

export interface Compared {
  readonly previous: boolean;
  readonly lastYear: boolean;
  readonly lastMonth: boolean;
}

/**
 * Returns the days before the range, or the same days a month or a year before. The last day of a range may be today: the
 * period then ends at the same time of its last day, which only facts know. Without facts it ends with the hour or the day,
 * as counts do.
 * @param factsFrom null: nothing was counted so far
 */
export function comparedWith(
  range: Bucketed,
  question: Pick<Question, 'filters' | 'groupBy'>,
  { previous, lastYear, lastMonth }: Compared,
  factsFrom: number | null,
): Bucketed | null {
  if (!previous) return null;
  const equal = lastYear ? monthsBefore(range, 12) : lastMonth ? monthsBefore(range, 1) : before(range);
  const hasFacts = factsFrom !== null && equal.from >= factsFrom;
  const unit = dimensionsOf(question).length === 0 ? 'hour' : 'day';
  const period = bucketed(hasFacts ? equal : rounded(equal, unit), range.interval);
  // A range of time zero has no period before it, and was refused.
  return isRefused(period) ? null : period;
}
