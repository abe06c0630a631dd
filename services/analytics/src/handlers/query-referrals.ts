import type { One } from '@landfall/bus';
import { MOST_GROUPS, type QueryReferrals } from '@landfall/contracts';
import { LABEL } from '../domain/metrics.ts';
import { iso, isRefused, questionOf, rangeView } from '../domain/question.ts';
import { sum } from '../domain/totals.ts';
import type { FigureStore, Question } from '../store.ts';

/** Counts the links, taps and installs of each value of a label. */
export function queryReferrals(store: FigureStore): One<typeof QueryReferrals> {
  return async (input, { now }) => {
    const groupBy = `${LABEL}${input.label}` as const;
    const wanted = { metric: 'attributedInstalls', groupBy, limit: MOST_GROUPS, interval: 'total' } as const;
    const asked = await questionOf(store, input, wanted, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question, range } = asked;
    const countBy = async (question: Question) =>
      new Map((await store.figures(question)).groups!.map(({ value, values }) => [value, sum(values)]));
    const [links, clicks, installs, tappedLinks, coverage] = await Promise.all([
      // Links are created without a device and a browser: filters are about clicks.
      countBy({ ...question, metric: 'linksCreated', filters: [] }),
      countBy({ ...question, metric: 'clicks' }),
      countBy(question),
      store.clickedLinks(question),
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
    return { reply: { ...rangeView(range), referrals, completeFrom: coverage && iso(coverage.factsFrom) } };
  };
}
