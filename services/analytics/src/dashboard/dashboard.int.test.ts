import { type AnalyticsMetric, AppChanged, analyticsMetrics, QueryAnalytics } from '@landfall/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Analytics, startAnalytics, tellAll } from '../analytics.testing.ts';
import { APPS, randomEvents } from '../random-events.testing.ts';
import { filled } from './filled.testing.ts';
import { rows } from './panels.ts';
import { apps, daily, labels, top, topOfLabel, total, zone } from './sql.ts';

const ZONE = 'Asia/Kathmandu';
const FROM = '2026-11-05';
const TO = '2026-11-12';
const chosen = {
  app: APPS[0]!,
  zone: ZONE,
  label: 'inviter',
  // Within the days: whole days count.
  __from: Date.parse('2026-11-05T03:00:00+05:45'),
  __to: Date.parse('2026-11-12T15:00:00+05:45'),
};

let analytics: Analytics;
beforeAll(async () => {
  analytics = await startAnalytics();
  const { bus } = analytics;
  await bus.tell(AppChanged, { appId: APPS[0]!, version: 1, hosts: [], timeZone: ZONE });
  const range = { from: new Date('2026-11-01'), to: new Date('2026-11-20') };
  // With this seed, a link led to an install in the days of the panels.
  const events = randomEvents({ count: 4_000, seed: 3, ...range });
  await tellAll(events, () => bus);
});
afterAll(() => analytics.close());

const read = <T extends object>(statement: string) => analytics.database.rows<T>(filled(statement, chosen), [], 'anew');
async function ask(metric: AnalyticsMetric, groupBy: 'link' | 'country' | 'label:inviter' | null = null) {
  const asked = { appId: APPS[0]!, metric, groupBy, interval: 'day', from: FROM, to: TO, limit: 15 } as const;
  const answer = await analytics.bus.ask(QueryAnalytics, asked);
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

it('has the numbers of the API', async () => {
  for (const metric of analyticsMetrics) {
    const reply = await ask(metric);
    expect([metric, await read(total(metric).postgresql)]).toEqual([metric, [{ value: reply.total }]]);
    const points = await read<{ time: Date; metric: string; value: number }>(daily([metric, 'Name']).postgresql);
    expect(points.map(({ time, value }) => [time.toISOString(), value])).toEqual(
      reply.buckets.map((start, i) => [start, reply.values[i]]).filter(([, value]) => value !== 0),
    );
  }
});

it('has the greatest links, countries and labels of the API', async () => {
  const totals = (groups: readonly { value: string | null; total: number }[] | null) =>
    new Map(groups!.map(({ value, total }) => [value ?? '(none)', total]));
  const found = async (statement: string) => totals(await read<{ value: string; total: number }>(statement));
  expect(await found(top('clicks', 'link', 15).postgresql)).toEqual(totals((await ask('clicks', 'link')).groups));
  expect(await found(top('clicks', 'country', 15).postgresql)).toEqual(totals((await ask('clicks', 'country')).groups));
  const labelled = (await ask('clicks', 'label:inviter')).groups!.filter(({ value }) => value !== null);
  expect(await found(topOfLabel('clicks', 15).postgresql)).toEqual(totals(labelled));
});

it('every panel and every choice has an answer', async () => {
  for (const { panels } of rows)
    for (const { title, sql } of panels) expect([title, (await read(sql.postgresql)).length]).not.toEqual([title, 0]);
  expect(await read(zone.postgresql)).toEqual([{ coalesce: ZONE }]);
  expect((await read(apps.postgresql)).length).toBe(APPS.length);
  expect(await read(labels.postgresql)).toEqual([{ substr: 'campaign' }, { substr: 'inviter' }]);
});
