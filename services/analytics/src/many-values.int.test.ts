// Anybody can tap a link with values that they make up.
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { type DataOf, DeviceInstalled, LinkClicked } from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { hashOf, uuidOf } from './random-events.testing.ts';
import { recountAll } from './recount/recount-all.ts';
import { analyticsService } from './service.ts';

const APP = uuidOf('app');
const TODAY = new Date('2026-11-23T12:00:00.000Z');
const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let database: Database;
let buses: readonly InProcessBus[];
beforeEach(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 8 });
  // Two workers, which share nothing but the database.
  buses = await Promise.all([1, 2].map(newService));
});
afterEach(async () => {
  for (const bus of buses) await bus.stop();
  await database.close();
  await testDatabase.drop();
});

async function newService() {
  const bus = createInProcessBus({ log: testLogger(), isTransient });
  analyticsService({ bus, database });
  await bus.start();
  return bus;
}

const NO_UTM = { source: null, medium: null, campaign: null, term: null, content: null };
const anyBus = (n: number) => buses[n % buses.length]!;

/** Taps with these sources, each twice: a message may come again. */
async function tap(sources: readonly string[], { at = TODAY, ofLink = false, name = '' } = {}) {
  const click = (source: string): DataOf<typeof LinkClicked> =>
    LinkClicked.data.parse({
      linkId: uuidOf('link'),
      appId: APP,
      url: 'https://shop.example/a',
      platform: 'ios',
      inApp: false,
      deferred: true,
      address: hashOf('home'),
      userAgent: hashOf('Safari'),
      utm: { ...NO_UTM, source },
      utmOfLink: ofLink ? ['source'] : [],
    });
  await inParts(sources, (source, i) => {
    const id = uuidOf(`${name} ${i} ${source} ${at.getTime()}`);
    return [0, 1].map((again) =>
      anyBus(i + again).tell(LinkClicked, click(source), { id, now: at, timeoutMs: 60_000 }),
    );
  });
}

/** A bus takes 1,000 messages at the same time. */
async function inParts<T>(all: readonly T[], tell: (one: T, i: number) => Promise<void>[]) {
  for (let from = 0; from < all.length; from += 400)
    await Promise.all(all.slice(from, from + 400).flatMap((one, i) => tell(one, from + i)));
}

const madeUp = (count: number, name = 'made up') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

async function countsOf(dimension: string, metric = 'clicks', day = '2026-11-23'): Promise<Map<string, number>> {
  const rows = await database.rows<{ value: string; n: string }>(
    `select value, n::text from analytics.day_counts
     where app_id = $1 and metric = $2 and dimension = $3 and day = $4::date and n <> 0`,
    [APP, metric, dimension, day],
  );
  return new Map(rows.map(({ value, n }) => [value, Number(n)]));
}
const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, n) => all + n, 0);

it('at most 1,000 values of a day are counted, known ones first, and the total stays true', async () => {
  await tap(['newsletter', 'partner'], { at: new Date(TODAY.getTime() - 3 * DAY_MS) });
  await tap(madeUp(1_300));
  const full = await countsOf('utmSource');
  expect(full.size).toBe(1_001);
  expect(full.get('(other)')).toBe(300);

  await tap(['newsletter', 'partner', 'nobody knows this']);
  await tap(['spring', 'spring', 'summer'], { ofLink: true, name: 'link' });
  const counts = await countsOf('utmSource');
  expect(counts.size).toBe(1_001);
  expect(Object.fromEntries(counts)).toMatchObject({ newsletter: 1, partner: 1, spring: 2, summer: 1, '(other)': 305 });
  expect(sum(counts)).toBe(1_306);
  expect(await countsOf('all')).toEqual(new Map([['', 1_306]]));
  // A value that has a count keeps it, and the next day has its own places.
  await tap(['spring'], { name: 'again' });
  expect((await countsOf('utmSource')).get('spring')).toBe(3);
  await tap(['made up 7', 'fresh'], { at: new Date(TODAY.getTime() + DAY_MS) });
  expect([...(await countsOf('utmSource', 'clicks', '2026-11-24')).keys()].sort()).toEqual(['fresh', 'made up 7']);

  const before = await database.rows(
    'select * from analytics.day_counts order by app_id, metric, dimension, day, value',
  );
  await recountAll(database);
  const after = await database.rows(
    'select * from analytics.day_counts order by app_id, metric, dimension, day, value',
  );
  expect(after).toEqual(before);
});

it('values of links keep their places, whatever was made up in the days before', async () => {
  for (const ago of [2, 1, 0]) await tap(madeUp(1_001, 'each day'), { at: new Date(TODAY.getTime() - ago * DAY_MS) });
  await tap(['summer'], { ofLink: true });
  const counts = await countsOf('utmSource');
  expect(counts.get('summer')).toBe(1);
  expect([counts.size, sum(counts)]).toEqual([1_001, 1_002]);
});

it('versions of apps have the same limit', async () => {
  await inParts(madeUp(1_010), (appVersion, i) => [
    anyBus(i).tell(
      DeviceInstalled,
      { appId: APP, device: hashOf(appVersion), platform: 'ios', country: null, appVersion },
      { id: uuidOf(appVersion), now: TODAY, timeoutMs: 60_000 },
    ),
  ]);
  const counts = await countsOf('appVersion', 'installs');
  expect([counts.size, counts.get('(other)'), sum(counts)]).toEqual([1_001, 10, 1_010]);
});
