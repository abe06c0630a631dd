// Every answer equals a count over the list of events, whatever store has the figures.
import type { Bus } from '@landfall/bus';
import {
  type AnalyticsMetric,
  analyticsDimensions,
  analyticsMetrics,
  type InputOf,
  LinkClicked,
  QueryAnalytics,
  type ReplyOf,
} from '@landfall/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { has } from '../domain/metrics.ts';
import {
  APPS,
  aClick,
  clockOf,
  countedBy,
  NO_UTM,
  randomEvents,
  seeded,
  type TestEvent,
  uuidOf,
} from '../random-events.testing.ts';
import { breakdownConformance } from './breakdowns.ts';
import { cohortConformance } from './cohorts.ts';
import { funnelConformance, journeys } from './funnel.ts';
import { linkConformance } from './links.ts';
import { listConformance } from './lists.ts';

const FROM = new Date('2026-10-25T00:00:00.000Z');
const TO = new Date('2026-11-23T10:20:30.000Z');
const [APP, OTHER] = APPS as [string, string];

/** Milliseconds. The gateway waits as long for the answers to these questions. */
const WAIT = { timeoutMs: 25_000 };

export interface TestedService {
  /** Where answers by day and by one dimension come from. */
  readonly source: 'counts' | 'facts';
  readonly bus: Pick<Bus, 'ask'>;
  /** Resolves when questions are answered in the zone of this version, or of a later one. */
  setZone(appId: string, version: number, timeZone: string): Promise<void>;
  /** Resolves when the answers know of all events. */
  deliver(events: readonly TestEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds for which a test of many events may run. */
const LONG = 40 * 60_000;

/**
 * @param open starts the service with an empty store
 * @param count the number of random events. More take minutes, and find what only many of them show
 */
export function figureConformance(open: () => Promise<TestedService>, count = 4_000): void {
  if (count > 100_000) vi.setConfig({ testTimeout: LONG, hookTimeout: LONG });
  const events = [...randomEvents({ count, from: FROM, to: TO }), ...journeys(), ...clicksOfManySources()];
  let service: TestedService;

  beforeAll(async () => {
    service = await open();
    await service.setZone(APP, 1, 'America/New_York');
    await service.deliver(inRandomOrder(events, 7));
  });
  afterAll(() => service?.close());

  const answerTo = (input: Partial<InputOf<typeof QueryAnalytics>>) => {
    const range = { from: '2026-10-20', to: '2026-11-23' };
    return service.bus.ask(QueryAnalytics, { appId: APP, metric: 'clicks', interval: 'day', ...range, ...input }, WAIT);
  };
  const ask = async (input: Parameters<typeof answerTo>[0]) => {
    const answer = await answerTo(input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
    return answer.reply;
  };

  describe.each([
    ['America/New_York', APP],
    ['UTC', OTHER],
  ])('in %s', (timeZone, appId) => {
    const clock = clockOf(timeZone);

    it.each(analyticsMetrics)('%s, by day', async (metric) => {
      const counted = countedBy(events, appId, metric);
      const reply = await ask({ appId, metric });
      expect(reply.timeZone).toBe(timeZone);
      expect(reply.source).toBe(service.source);
      expect(byBucket(reply, (at) => clock(at).day)).toEqual(expected(counted, ({ at }) => clock(at).day, metric));
    });

    it.each(analyticsMetrics)('%s, by every dimension', async (metric) => {
      const counted = countedBy(events, appId, metric);
      const labels = ['label:inviter', 'label:campaign'] as const;
      for (const groupBy of [...analyticsDimensions, ...labels].filter((dimension) => has(metric, dimension))) {
        const reply = await ask({ appId, metric, groupBy, interval: 'total', limit: 1_000 });
        const groups = Map.groupBy(counted, ({ of }) => of(groupBy));
        const wanted = [...groups].map(([value, own]) => [value, totalOf(own, metric, timeZone)]);
        expect([groupBy, new Map(reply.groups!.map((g) => [g.value, g.total]))]).toEqual([
          groupBy,
          new Map(wanted as [string | null, number][]),
        ]);
      }
    });

    it.each(['clicks', 'restores', 'installs', 'visitors'] as const)('%s, by hour', async (metric) => {
      const from = new Date('2026-10-31T20:00:00.000Z').toISOString();
      const to = new Date('2026-11-02T20:00:00.000Z').toISOString();
      const reply = await ask({ appId, metric, interval: 'hour', from, to });
      const counted = countedBy(events, appId, metric).filter(({ at }) => at >= new Date(from) && at < new Date(to));
      // Clocks went back within this time: two hours have one name.
      const hour = (at: Date) => clock(at).hour;
      if (metric !== 'visitors') expect(byBucket(reply, hour)).toEqual(expected(counted, ({ at }) => hour(at), metric));
      expect(reply.values.length).toBe(48);
    });
  });

  it('any question has the answer of a plain count', async () => {
    const random = seeded(3);
    const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const clock = clockOf('America/New_York');
    for (let i = 0; i < 150; i++) {
      const metric = one(analyticsMetrics.filter((name) => name !== 'visitors'));
      const spelling = one(['folded', 'exact'] as const);
      const counted = countedBy(events, APP, metric, spelling);
      const dimensions = [...analyticsDimensions, 'label:inviter' as const].filter((name) => has(metric, name));
      const filters = Array.from({ length: dimensions.length === 0 ? 0 : Math.floor(random() * 3) }, () => {
        const dimension = one(dimensions);
        return { dimension, value: one(counted)?.of(dimension) ?? null };
      });
      // People filter by what they read in an address.
      const asTyped = filters.map(({ dimension, value }) => ({
        dimension,
        value: spelling === 'folded' && dimension.startsWith('utm') ? (value?.toUpperCase() ?? null) : value,
      }));
      const groupBy = random() < 0.5 || dimensions.length === 0 ? null : one(dimensions);
      const from = `2026-11-${String(1 + Math.floor(random() * 9)).padStart(2, '0')}`;
      const to = `2026-11-${10 + Math.floor(random() * 10)}`;
      const kept = counted.filter(
        ({ at, of }) =>
          clock(at).day >= from &&
          clock(at).day <= to &&
          [...Map.groupBy(filters, (f) => f.dimension)].every(([name, same]) =>
            same.some(({ value }) => value === of(name)),
          ),
      );
      const reply = await ask({ metric, spelling, filters: asTyped, groupBy, from, to, limit: 1_000 });
      const said = { metric, spelling, filters, groupBy, from, to, total: reply.total, source: reply.source };
      expect(said).toEqual({ ...said, total: kept.length });
      if (groupBy === null) continue;
      const found = Map.groupBy(kept, ({ of }) => of(groupBy));
      const groups = new Map([...found].map(([value, own]) => [value, own.length]));
      const given = new Map(reply.groups!.map((group) => [group.value, group.total]));
      expect([said, given]).toEqual([said, groups]);
    }
  });

  breakdownConformance(() => service.bus, events);
  funnelConformance(() => service.bus, events);
  cohortConformance(() => service.bus, events);
  listConformance(() => service.bus, events);

  it('the same is counted after a change of the zone', async () => {
    const clock = clockOf('Asia/Kathmandu');
    await service.setZone(OTHER, 5, 'Asia/Kathmandu');
    for (const metric of analyticsMetrics) {
      const reply = await ask({ appId: OTHER, metric });
      expect(reply.timeZone).toBe('Asia/Kathmandu');
      if (metric === 'visitors') continue;
      const counted = countedBy(events, OTHER, metric);
      expect([metric, byBucket(reply, (at) => clock(at).day)]).toEqual([
        metric,
        expected(counted, ({ at }) => clock(at).day, metric),
      ]);
    }
    // An older message about the app changes nothing.
    await service.setZone(OTHER, 4, 'UTC');
    expect((await ask({ appId: OTHER })).timeZone).toBe('Asia/Kathmandu');
  });

  it('a limit leaves the rest as one sum', async () => {
    const reply = await ask({ groupBy: 'link', limit: 3 });
    expect(reply.groups).toHaveLength(3);
    const shown = reply.groups!.reduce((sum, { total }) => sum + total, 0);
    expect(shown + reply.other!.total).toBe(reply.total);
    expect(reply.other!.values.length).toBe(reply.values.length);
  });

  it('counts of a day know 1,000 values, those of links among them, and facts know all', async () => {
    const { total, groups, other, source } = await ask({ appId: MANY, groupBy: 'utmSource', limit: 1_000 });
    expect(source).toBe(service.source);
    expect(total).toBe(MADE_UP + 3);
    expect(groups!.reduce((sum, group) => sum + group.total, other?.total ?? 0)).toBe(total);
    expect(groups!.find(({ value }) => value === 'spring')?.total).toBe(3);
    const isCounted = source === 'counts';
    expect(groups!.length + (other?.groups ?? 0)).toBe(isCounted ? 1_001 : MADE_UP + 1);
    expect(groups!.find(({ value }) => value === '(other)')?.total).toBe(isCounted ? MADE_UP - 999 : undefined);
  });

  it('compares with the period before', async () => {
    const reply = await ask({ from: '2026-11-10', to: '2026-11-14', previous: true, groupBy: 'country' });
    const before = await ask({ from: '2026-11-05', to: '2026-11-09', groupBy: 'country' });
    expect(reply.previous).toMatchObject({ total: before.total, values: before.values });
    expect(new Map(reply.groups!.map((g) => [g.value, g.previousTotal]))).toEqual(
      new Map(reply.groups!.map((g) => [g.value, before.groups!.find(({ value }) => value === g.value)?.total ?? 0])),
    );
  });

  it('refuses a range that ends before it begins, one of too many buckets, and an unknown dimension', async () => {
    const refused = async (input: Parameters<typeof answerTo>[0]) => {
      const answer = await answerTo(input);
      return answer.ok ? null : answer.refusal;
    };
    expect(await refused({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ code: 'RANGE_EMPTY', facts: {} });
    expect(await refused({ interval: 'hour', from: '2026-01-01', to: '2026-03-31' })).toEqual({
      code: 'RANGE_TOO_LONG',
      // 90 days without the hour that the change of the clocks leaves out.
      facts: { buckets: 2_159, limit: 1_000 },
    });
    expect(await refused({ metric: 'pushesSent', groupBy: 'browser' })).toEqual({
      code: 'DIMENSION_UNKNOWN',
      facts: { dimension: 'browser', metric: 'pushesSent' },
    });
  });

  linkConformance(() => service);
}

/** An app whose links somebody taps with made-up values. */
const MANY = uuidOf('many sources');
const MADE_UP = 1_100;

function clicksOfManySources(): TestEvent[] {
  const sources = [...Array.from({ length: MADE_UP }, (_, n) => `made up ${n}`), 'spring', 'spring', 'spring'];
  return sources.map((source, n) => ({
    event: LinkClicked,
    id: uuidOf(`many sources ${n}`),
    now: new Date('2026-11-20T12:00:00.000Z'),
    data: aClick({
      linkId: uuidOf('link of many sources'),
      appId: MANY,
      address: null,
      utm: { ...NO_UTM, source },
      utmOfLink: source === 'spring' ? ['source'] : [],
    }),
  }));
}

/** One in twenty is there twice. */
function inRandomOrder(events: readonly TestEvent[], seed: number): TestEvent[] {
  const random = seeded(seed);
  const all = [...events, ...events.filter(() => random() < 0.05)];
  return all
    .map((event) => ({ event, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

type Reply = ReplyOf<typeof QueryAnalytics>;
type Counted = ReturnType<typeof countedBy>[number];

/** The numbers above zero, by a name of their bucket. */
function byBucket(reply: Reply, nameOf: (at: Date) => string): Map<string, number> {
  const found = new Map<string, number>();
  reply.buckets.forEach((start, i) => {
    const name = nameOf(new Date(start));
    if (reply.values[i]! > 0) found.set(name, (found.get(name) ?? 0) + reply.values[i]!);
  });
  return found;
}

function expected(counted: readonly Counted[], nameOf: (counted: Counted) => string, metric: AnalyticsMetric) {
  const sorted = [...Map.groupBy(counted, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([name, own]) => [name, numberOf(own, metric)]));
}

const numberOf = (counted: readonly Counted[], metric: AnalyticsMetric): number =>
  metric === 'visitors' ? new Set(counted.map(({ visitor }) => visitor)).size : counted.length;

/** The total of the whole range: for visitors the mean of its 35 days. */
function totalOf(counted: readonly Counted[], metric: AnalyticsMetric, timeZone: string): number {
  if (metric !== 'visitors') return counted.length;
  const clock = clockOf(timeZone);
  const days = [...Map.groupBy(counted, ({ at }) => clock(at).day).values()];
  const sum = days.reduce((all, day) => all + numberOf(day, metric), 0);
  return Math.round((sum / 35) * 100) / 100;
}
