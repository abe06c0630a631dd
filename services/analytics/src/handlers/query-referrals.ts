import type { One } from '@landfall/bus';
import { type AnalyticsMetric, MOST_GROUPS, type QueryReferrals } from '@landfall/contracts';
import { LABEL } from '../domain/metrics.ts';
import { bucketsOf, iso, isRefused, joined, placed, unknownDimension } from '../domain/question.ts';
import type { FigureStore } from '../store.ts';
import { sum } from '../totals.ts';

/** Counts the links, taps and installs of each value of a label. */
export function queryReferrals(store: FigureStore): One<typeof QueryReferrals> {
  return async (input, { now }) => {
    const groupBy = `${LABEL}${input.label}` as const;
    const unknown = unknownDimension('attributedInstalls', input.filters, groupBy);
    if (unknown !== null) return { refusal: unknown };
    const zone = await store.zone(input.appId);
    const range = bucketsOf(zone, input, 'total', now);
    if (isRefused(range)) return { refusal: range };
    const filters = joined(input.filters);
    const question = { appId: input.appId, filters, groupBy, limit: MOST_GROUPS, ...placed(range, now) };
    // Links are created without a device and a browser: filters are about clicks.
    const created = { ...question, metric: 'linksCreated' as const, filters: [] };
    const countBy = async (asked: typeof question & { metric: AnalyticsMetric }) =>
      new Map((await store.figures(asked)).groups!.map(({ value, values }) => [value, sum(values)]));
    const [links, clicks, installs, tappedLinks, coverage] = await Promise.all([
      countBy(created),
      countBy({ ...question, metric: 'clicks' }),
      countBy({ ...question, metric: 'attributedInstalls' }),
      store.clickedLinks({ ...question, metric: 'clicks' }),
      store.coverage(),
    ]);
    const values = new Set([...installs.keys(), ...clicks.keys(), ...links.keys()]);
    const referrals = [...values]
      .filter((value) => value !== null)
      .map((value) => ({
        value,
        links: links.get(value) ?? 0,
        tappedLinks: tappedLinks.get(value) ?? 0,
        clicks: clicks.get(value) ?? 0,
        installs: installs.get(value) ?? 0,
      }))
      .sort(
        (a, b) => b.installs - a.installs || b.clicks - a.clicks || b.links - a.links || (a.value < b.value ? -1 : 1),
      )
      .slice(0, input.limit);
    return {
      reply: {
        timeZone: zone.name,
        from: iso(range.from),
        to: iso(range.to),
        referrals,
        completeFrom: coverage && iso(coverage.factsFrom),
      },
    };
  };
}
