// The rows of every figure are those that a plain count over the list of events counts, and as many.
import type { Bus } from '@landfall/bus';
import {
  type AnalyticsDimension,
  type BreakdownMetric,
  type CountedEvent,
  funnelSteps,
  type InputOf,
  ListEvents,
  type ListedFigure,
} from '@landfall/contracts';
import { expect, it } from 'vitest';
import { shownOf } from '../domain/listed.ts';
import { has } from '../domain/metrics.ts';
import {
  APPS,
  type Counted,
  clockOf,
  countedBy,
  followedIn,
  seeded,
  type TestEvent,
} from '../random-events.testing.ts';

const [APP] = APPS as [string];
const METRICS = ['clicks', 'storeRedirects', 'attributedInstalls', 'restores', 'opens', 'installs'] as const;
const STEPS = funnelSteps.slice(1) as ('restores' | 'installs' | 'opens')[];
/** All pages of a figure of a million events would take long. */
const MOST_PAGES = 3;

export function listConformance(bus: () => Pick<Bus, 'ask'>, events: readonly TestEvent[]): void {
  const clock = clockOf('America/New_York');
  type Input = InputOf<typeof ListEvents>;

  const pageOf = async (input: Pick<Input, 'from' | 'to' | 'figure' | 'filters' | 'limit' | 'cursor'>) => {
    const answer = await bus().ask(ListEvents, { appId: APP, ...input }, { timeoutMs: 25_000 });
    if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
    return answer.reply;
  };

  /** Reads pages up to the end of the list, or some of them. */
  async function listed(input: Omit<Parameters<typeof pageOf>[0], 'cursor'>) {
    const first = await pageOf({ ...input, cursor: null });
    const rows = [...first.events];
    let { next } = first;
    for (let page = 1; next !== null && page < MOST_PAGES; page++) {
      const more = await pageOf({ ...input, cursor: next });
      expect(more.total).toBeNull();
      rows.push(...more.events);
      next = more.next;
    }
    return { total: first.total, rows, isWhole: next === null };
  }

  /** Rows of one time come in an order of their ids, which a plain count does not know. */
  const byTime = (rows: readonly unknown[][], isWhole: boolean): Map<unknown, string[]> => {
    const groups = [...Map.groupBy(rows, ([at]) => at)].map(
      ([at, own]) => [at, own.map((row) => JSON.stringify(row)).sort()] as const,
    );
    return new Map(isWhole ? groups : groups.slice(0, -1));
  };

  it('any figure has the rows of a plain count', async () => {
    const random = seeded(13);
    const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    let seen = 0;
    for (let i = 0; i < 30; i++) {
      const step = random() < 0.25 ? one(STEPS) : null;
      const metric: BreakdownMetric = step === null ? one(METRICS) : 'clicks';
      const counted = countedBy(events, APP, metric);
      const spelled = countedBy(events, APP, metric, 'exact');
      const dimensions = [...shownOf(metric), ...(has(metric, 'link') ? (['link'] as const) : [])];
      const filters = Array.from({ length: Math.floor(random() * 4) }, () => {
        const dimension = one(dimensions);
        return { dimension, value: one(counted)?.of(dimension) ?? null };
      });
      const from = `2026-11-${String(1 + Math.floor(random() * 9)).padStart(2, '0')}`;
      const to = `2026-11-${10 + Math.floor(random() * 10)}`;
      const reached = step === null ? null : clicksThatReached(step);
      const isKept = ({ at, of, click }: Counted): boolean =>
        clock(at).day >= from &&
        clock(at).day <= to &&
        (reached === null || reached.has(click!)) &&
        [...Map.groupBy(filters, (f) => f.dimension)].every(([name, same]) =>
          same.some(({ value }) => value === of(name)),
        );
      const kept = spelled.filter((_, place) => isKept(counted[place]!));
      const wanted = kept
        .map(({ at, of }): unknown[] => [at.toISOString(), ...dimensions.map(of)])
        .sort(([a], [b]) => (a! < b! ? 1 : a! > b! ? -1 : 0));
      const figure: ListedFigure = step === null ? metric : `funnel.${step}`;
      const { total, rows, isWhole } = await listed({ figure, from, to, filters, limit: one([7, 50, 100]) });
      const said = { figure, from, to, filters, total };
      expect(said).toEqual({ ...said, total: wanted.length });
      const fieldOf = (row: CountedEvent, dimension: AnalyticsDimension) =>
        dimension === 'link' ? row.linkId : row[dimension as keyof CountedEvent];
      const given = rows.map((row): unknown[] => [row.at, ...dimensions.map((name) => fieldOf(row, name))]);
      expect(given.map(([at]) => at)).toEqual(wanted.slice(0, rows.length).map(([at]) => at));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const same = byTime(given, isWhole);
      expect([said, same]).toEqual([said, byTime(wanted.slice(0, rows.length), isWhole)]);
      seen += rows.length;
    }
    expect(seen).toBeGreaterThan(500);
  });

  const clicksThatReached = (step: (typeof STEPS)[number]): ReadonlySet<string> => {
    const flag = { restores: 'restored', installs: 'installed', opens: 'opened' } as const;
    const followed = followedIn(events, APP, () => true).filter((click) => click[flag[step]]);
    return new Set(followed.map(({ click }) => click));
  };

  it('a row names the tap that led to it, and its device', async () => {
    const range = { from: '2026-10-20', to: '2026-11-23', filters: [], limit: 50 };
    const { rows: taps } = await listed({ ...range, figure: 'clicks' });
    expect(taps.every(({ id, tapId, device }) => tapId === id && device === null)).toBe(true);
    const { rows: opens } = await listed({ ...range, figure: 'opens' });
    expect(opens.every(({ id, tapId }) => tapId === id)).toBe(true);
    const targets = new Map(events.map(({ id, data }) => [id, data.target ?? null]));
    expect(taps.map(({ answered }) => answered)).toEqual(taps.map(({ id }) => targets.get(id)));
    for (const figure of ['restores', 'attributedInstalls'] as const) {
      const { rows } = await listed({ ...range, figure });
      const clicks = new Set(countedBy(events, APP, 'clicks').map(({ click }) => click));
      expect(rows.every(({ tapId }) => tapId !== null && clicks.has(tapId))).toBe(true);
    }
    const { rows: installs } = await listed({ ...range, figure: 'installs' });
    expect(installs.every(({ device, tapId }) => device !== null && tapId === null)).toBe(true);
  });
}
