// The taps and installs of links on the last 7, 30 and 90 days. They are kept for each link, because an order of all links
// cannot wait until the days of each are added up.
import type { FigureDays } from '@landfall/contracts';
import type { LinkCount } from './counting.ts';
import { type Fact, kinds } from './fact.ts';
import { addDays } from './zone.ts';

/** The lengths of the ranges. */
export const ranges: readonly FigureDays[] = [7, 30, 90];

/** A change of the totals of a link. */
export interface LinkTotal {
  readonly appId: string;
  readonly linkId: string;
  readonly clicks: Record<FigureDays, number>;
  readonly installs: Record<FigureDays, number>;
  lastTapAt: Date | null;
}

/** The first day of a range whose last day is `end`. */
export const firstDay = (days: FigureDays, end: string): string => addDays(end, 1 - days);

/** The days that leave a range when its last day moves from `before` to `end`. */
export const leavingDays = (days: FigureDays, before: string, end: string): string[] => {
  const left: string[] = [];
  for (let day = firstDay(days, before); day < firstDay(days, end); day = addDays(day, 1)) left.push(day);
  return left;
};

/**
 * Returns the changes of totals, in the one order in which every process locks the rows.
 * @param ends the last day of the ranges, by app. An app without one has no totals yet.
 */
export function totalsOf(
  counts: readonly LinkCount[],
  facts: readonly Fact[],
  ends: ReadonlyMap<string, string>,
): LinkTotal[] {
  const totals = new Map<string, LinkTotal>();
  const totalOf = (appId: string, linkId: string): LinkTotal => {
    const key = `${appId} ${linkId}`;
    let total = totals.get(key);
    if (total === undefined) {
      total = { appId, linkId, clicks: noDays(), installs: noDays(), lastTapAt: null };
      totals.set(key, total);
    }
    return total;
  };
  for (const { appId, linkId, day, clicks, attributedInstalls } of counts) {
    const end = ends.get(appId);
    if (end === undefined || (clicks === 0 && attributedInstalls === 0)) continue;
    for (const days of ranges) {
      if (day < firstDay(days, end)) continue;
      const total = totalOf(appId, linkId);
      total.clicks[days] += clicks;
      total.installs[days] += attributedInstalls;
    }
  }
  for (const { appId, linkId, kind, at } of facts) {
    if (kind !== kinds.click || linkId === null || !ends.has(appId)) continue;
    const total = totalOf(appId, linkId);
    if (total.lastTapAt === null || total.lastTapAt < at) total.lastTapAt = at;
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}

const noDays = () => ({ 7: 0, 30: 0, 90: 0 });
