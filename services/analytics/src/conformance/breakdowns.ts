// Every figure of every card equals a count over the list of events: with filters, with the days before, in each spelling.
import type { Bus } from '@landfall/bus';
import { type AnalyticsDimension, analyticsDimensions, type InputOf, QueryBreakdowns } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { has } from '../domain/metrics.ts';
import { APPS, clockOf, countedBy, seeded, type TestEvent } from '../random-events.testing.ts';

const [APP] = APPS as [string];
const CARDS = [...analyticsDimensions, 'label:inviter', 'label:campaign'] as const;
const METRICS = [
  ['clicks', 'attributedInstalls'],
  ['attributedInstalls', 'clicks'],
  ['restores', 'clicks'],
  ['opens'],
  ['installs', 'clicks'],
  ['storeRedirects', 'opens', 'restores'],
] as const;
/** Each has as many days before it within the events. */
const RANGES = [
  { days: ['2026-11-10', '2026-11-14'], before: ['2026-11-05', '2026-11-09'] },
  { days: ['2026-11-04', '2026-11-10'], before: ['2026-10-28', '2026-11-03'] },
  { days: ['2026-11-20', '2026-11-20'], before: ['2026-11-19', '2026-11-19'] },
] as const;

type Counted = ReturnType<typeof countedBy>;

export function breakdownConformance(bus: () => Pick<Bus, 'ask'>, events: readonly TestEvent[]): void {
  const clock = clockOf('America/New_York');
  type Input = InputOf<typeof QueryBreakdowns>;
  const ask = async (input: Pick<Input, 'from' | 'to' | 'metrics' | 'dimensions' | 'limit'> & Partial<Input>) => {
    const answer = await bus().ask(QueryBreakdowns, { appId: APP, ...input }, { timeoutMs: 25_000 });
    if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
    return answer.reply;
  };

  it('all cards of a page have the answer of a plain count', async () => {
    const random = seeded(11);
    const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    for (let i = 0; i < 30; i++) {
      const metrics = [...one(METRICS)];
      const spelling = one(['folded', 'exact'] as const);
      const { days, before } = one(RANGES);
      const counted = metrics.map((metric) => countedBy(events, APP, metric, spelling));
      const dimensions = CARDS.filter((dimension) => has(metrics[0]!, dimension));
      const filters = Array.from({ length: Math.floor(random() * 3) }, () => {
        const dimension = one(dimensions);
        return { dimension, value: one(counted[0]!)?.of(dimension) ?? null };
      });
      /** Null: a filter that the metric does not have. */
      const keptIn = ([first, last]: readonly [string, string]) =>
        counted.map((all, place) =>
          filters.every(({ dimension }) => has(metrics[place]!, dimension))
            ? all.filter(({ at, of }) => isBetween(clock(at).day, first, last) && isKept(of, filters))
            : null,
        );
      const kept = keptIn(days);
      const keptBefore = keptIn(before);
      const reply = await ask({
        from: days[0],
        to: days[1],
        filters,
        spelling,
        metrics,
        dimensions,
        limit: 1_000,
        previous: true,
      });
      const said = JSON.stringify({ metrics, spelling, days, filters });
      expect([said, reply.metrics.map(({ total }) => total)]).toEqual([said, kept.map((all) => all?.length ?? null)]);
      for (const { dimension, groups, groupCount } of reply.breakdowns) {
        const name = dimension as AnalyticsDimension;
        const numbersOf = (of: readonly (Counted | null)[]) =>
          of.map((all, place) => (all === null || !has(metrics[place]!, name) ? null : countBy(all, name)));
        const [now, then] = [numbersOf(kept), numbersOf(keptBefore)];
        const number = (of: typeof now, value: string | null) => of.map((counts) => counts && (counts.get(value) ?? 0));
        const values = [...now[0]!.keys()];
        const wanted = values.map((value) => [value, number(now, value), number(then, value)] as const);
        const given = groups.map(({ value, totals, previousTotals }) => [value, totals, previousTotals] as const);
        expect([said, dimension, inOrder(given)]).toEqual([said, dimension, inOrder(wanted)]);
        expect(groupCount).toBe(values.length);
        expect(groups.map(({ totals }) => totals[0]!)).toEqual(groups.map(({ totals }) => totals[0]!).sort(descending));
      }
    }
  });

  it('a card lists the greatest groups, and how many there are', async () => {
    const input: Pick<Input, 'from' | 'to' | 'metrics'> = { from: '2026-11-01', to: '2026-11-20', metrics: ['clicks'] };
    const { breakdowns } = await ask({ ...input, dimensions: ['link', 'country'], limit: 2 });
    const all = (await ask({ ...input, dimensions: ['link', 'country'], limit: 1_000 })).breakdowns;
    breakdowns.forEach(({ groups, groupCount }, place) => {
      expect(groups).toEqual(all[place]!.groups.slice(0, 2));
      expect(groupCount).toBe(all[place]!.groups.length);
    });
  });

  it('a card that the first metric cannot have is refused', async () => {
    const input = { appId: APP, from: null, to: null, metrics: ['opens' as const], dimensions: ['browser' as const] };
    const answer = await bus().ask(QueryBreakdowns, input);
    expect(answer.ok ? null : answer.refusal).toEqual({
      code: 'DIMENSION_UNKNOWN',
      facts: { dimension: 'browser', metric: 'opens' },
    });
  });
}

function countBy(all: Counted, dimension: AnalyticsDimension): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const { of } of all) counts.set(of(dimension), (counts.get(of(dimension)) ?? 0) + 1);
  return counts;
}

const isBetween = (day: string, first: string, last: string): boolean => day >= first && day <= last;
const descending = (a: number, b: number): number => b - a;

const isKept = (
  of: Counted[number]['of'],
  filters: readonly { dimension: AnalyticsDimension; value: string | null }[],
): boolean =>
  [...Map.groupBy(filters, ({ dimension }) => dimension)].every(([dimension, same]) =>
    same.some(({ value }) => value === of(dimension)),
  );

const inOrder = <R extends readonly [string | null, ...unknown[]]>(rows: readonly R[]): R[] =>
  rows.toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));
