import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { type DataOf, DeviceInstalled, LinkClicked, QueryAnalytics } from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { hashOf, uuidOf } from './random-events.testing.ts';
import { deleteExpired } from './retention.ts';
import { analyticsService } from './service.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const APP = uuidOf('app');
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let testDatabase: TestDatabase;
let database: Database;
let bus: InProcessBus;
beforeEach(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 4 });
  bus = await newService();
});
afterEach(async () => {
  await bus.stop();
  await database.close();
  await testDatabase.drop();
});

async function newService() {
  const made = createInProcessBus({ log: testLogger(), isTransient });
  analyticsService({ bus: made, database });
  await made.start();
  return made;
}

const CLICK: DataOf<typeof LinkClicked> = LinkClicked.data.parse({
  linkId: uuidOf('link'),
  appId: APP,
  url: 'https://shop.example/a',
  platform: 'ios',
  inApp: false,
  deferred: true,
  address: hashOf('home'),
  userAgent: hashOf('Safari'),
});
const click = (name: string, now: Date) => bus.tell(LinkClicked, CLICK, { id: uuidOf(name), now });
const retain = (now = NOW) => deleteExpired(database, now, { analyticsDays: 60 });
const count = async (table: string) => (await database.rows(`select from analytics.${table}`)).length;

/** Asks for clicks with two filters, which only facts can answer. */
async function clicks() {
  const filters = [
    { dimension: 'platform' as const, value: 'ios' },
    { dimension: 'country' as const, value: null },
  ];
  const range = { from: '2026-06-01', to: '2026-11-23' };
  const answer = await bus.ask(QueryAnalytics, { appId: APP, metric: 'clicks', interval: 'total', filters, ...range });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

it('drops the facts of whole months, and keeps their counts', async () => {
  for (const days of [150, 100, 70, 20]) await click(`click ${days}`, daysAgo(days));
  expect(await retain()).toMatchObject({ analyticsMonths: 2 });
  // 60 days ago was in September: its facts are kept from the first day of the month.
  expect(await count('facts')).toBe(2);
  const days = { appId: APP, metric: 'clicks', interval: 'day', from: '2026-06-01', to: '2026-11-23' } as const;
  const answer = await bus.ask(QueryAnalytics, days);
  expect(answer).toMatchObject({ ok: true, reply: { total: 4, source: 'counts' } });
  expect(await retain()).toMatchObject({ analyticsMonths: 0 });
});

it('takes no event of a month that was dropped, so that it does not count a second time', async () => {
  await click('old', daysAgo(100));
  await click('late', daysAgo(20));
  await retain();
  await click('old', daysAgo(100));
  // A service that starts later knows it, too.
  await bus.stop();
  bus = await newService();
  await click('old', daysAgo(100));
  await click('late', daysAgo(20));
  expect(await count('facts')).toBe(1);
  const answer = await bus.ask(QueryAnalytics, {
    appId: APP,
    metric: 'clicks',
    interval: 'day',
    from: '2026-06-01',
    to: '2026-11-23',
  });
  expect(answer).toMatchObject({ reply: { total: 2 } });
});

it('says since when single events are kept', async () => {
  await click('old', daysAgo(100));
  expect((await clicks()).completeFrom).toBe(daysAgo(100).toISOString());
  await retain();
  const answer = await clicks();
  expect(answer).toMatchObject({ source: 'facts', completeFrom: '2026-09-01T00:00:00.000Z', total: 0 });
});

it('deletes salts and visitors two days after their day, also those of events that came late', async () => {
  await click('today', NOW);
  await click('long ago', daysAgo(30));
  await database.rows('update analytics.salts set created_at = $1', [NOW]);
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
