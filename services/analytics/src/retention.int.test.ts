import type { InProcessBus } from '@landfall/bus';
import { DeviceInstalled, type InputOf, LinkClicked, QueryAnalytics } from '@landfall/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyDatabase, startWorker } from './analytics.testing.ts';
import { aClick, hashOf, uuidOf } from './random-events.testing.ts';
import { deleteExpired } from './retention.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const APP = uuidOf('app');
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let own: Awaited<ReturnType<typeof emptyDatabase>>;
let bus: InProcessBus;
beforeEach(async () => {
  own = await emptyDatabase();
  bus = await startWorker(own.database);
});
afterEach(async () => {
  await bus.stop();
  await own.drop();
});

const click = (name: string, now: Date) => bus.tell(LinkClicked, aClick(), { id: uuidOf(name), now });
const retain = (now = NOW) => deleteExpired(own.database, now, { KEEP_ANALYTICS_DAYS: 60 });
const count = async (table: string) => (await own.database.rows(`select from analytics.${table}`)).length;

async function clicks(filters: InputOf<typeof QueryAnalytics>['filters'] = []) {
  const range = { from: '2026-06-01', to: '2026-11-23' };
  const answer = await bus.ask(QueryAnalytics, { appId: APP, metric: 'clicks', interval: 'day', filters, ...range });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

/** Only facts can answer two filters. */
const clicksOfFacts = () =>
  clicks([
    { dimension: 'platform', value: 'ios' },
    { dimension: 'country', value: null },
  ]);

it('drops the facts of whole months, and keeps their counts', async () => {
  for (const days of [150, 100, 70, 20]) await click(`click ${days}`, daysAgo(days));
  expect(await retain()).toMatchObject({ analyticsMonths: 2 });
  // 60 days ago was in September: its facts are kept from the first day of the month.
  expect(await count('facts')).toBe(2);
  expect(await clicks()).toMatchObject({ total: 4, source: 'counts' });
  expect(await retain()).toMatchObject({ analyticsMonths: 0 });
});

it('takes no event of a month that was dropped, so that it does not count a second time', async () => {
  await click('old', daysAgo(100));
  await click('late', daysAgo(20));
  await retain();
  await click('old', daysAgo(100));
  // A service that starts later knows it, too.
  await bus.stop();
  bus = await startWorker(own.database);
  await click('old', daysAgo(100));
  await click('late', daysAgo(20));
  expect(await count('facts')).toBe(1);
  expect(await clicks()).toMatchObject({ total: 2 });
});

it('says since when single events are kept', async () => {
  await click('old', daysAgo(100));
  expect((await clicksOfFacts()).completeFrom).toBe(daysAgo(100).toISOString());
  await retain();
  expect(await clicksOfFacts()).toMatchObject({ source: 'facts', completeFrom: '2026-09-01T00:00:00.000Z', total: 0 });
});

it('deletes salts and visitors two days after their day, also those of events that came late', async () => {
  await click('today', NOW);
  await click('long ago', daysAgo(30));
  await own.database.rows('update analytics.salts set created_at = $1', [NOW]);
  await retain();
  expect([await count('salts'), await count('visitors')]).toEqual([2, 2]);
  await retain(new Date(NOW.getTime() + 1.4 * DAY_MS));
  expect([await count('salts'), await count('visitors')]).toEqual([2, 2]);
  await retain(new Date(NOW.getTime() + 2.1 * DAY_MS));
  // The day is over since one and a half days.
  expect([await count('salts'), await count('visitors')]).toEqual([1, 1]);
  await retain(new Date(NOW.getTime() + 2.6 * DAY_MS));
  expect([await count('salts'), await count('visitors')]).toEqual([0, 0]);
});

it('deletes installs whose events are no longer kept', async () => {
  for (const days of [70, 20])
    await bus.tell(
      DeviceInstalled,
      { appId: APP, device: hashOf(`device ${days}`) },
      { id: uuidOf(`install ${days}`), now: daysAgo(days) },
    );
  expect(await retain()).toMatchObject({ installs: 1 });
  expect(await count('installs')).toBe(1);
});
