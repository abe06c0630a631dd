// Anybody can tap a link with values that they make up.
import { DeviceInstalled, LinkClicked, LinkOpened } from '@landfall/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Analytics, startAnalytics, tellAll } from './analytics.testing.ts';
import { aClick, hashOf, NO_UTM, uuidOf } from './random-events.testing.ts';
import { recountAll } from './recount.ts';

const APP = uuidOf('app');
const TODAY = new Date('2026-11-23T12:00:00.000Z');
const DAY_MS = 86_400_000;

let analytics: Analytics;
beforeEach(async () => {
  analytics = await startAnalytics(2);
});
afterEach(() => analytics.close());

const anyBus = (n: number) => analytics.buses[n % 2]!;

/** Taps with these sources, each twice, at both workers: a message may come again. */
async function tap(sources: readonly string[], { at = TODAY, ofLink = false, name = '' } = {}) {
  const clicks = sources.map((source, i) => ({
    event: LinkClicked,
    id: uuidOf(`${name} ${i} ${source} ${at.getTime()}`),
    now: at,
    data: aClick({ utm: { ...NO_UTM, source }, utmOfLink: ofLink ? ['source'] : [] }),
  }));
  await Promise.all([0, 1].map((again) => tellAll(clicks, (i) => anyBus(i + again))));
}

const madeUp = (count: number, name = 'made up') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

async function countsOf(dimension: string, metric = 'clicks', day = '2026-11-23'): Promise<Map<string, number>> {
  const rows = await analytics.database.rows<{ value: string; n: string }>(
    `select value, n::text from analytics.day_counts
     where app_id = $1 and metric = $2 and dimension = $3 and day = $4::date and n <> 0`,
    [APP, metric, dimension, day],
  );
  return new Map(rows.map(({ value, n }) => [value, Number(n)]));
}

async function expectSameAfterRecount() {
  const all = () =>
    analytics.database.rows('select * from analytics.day_counts order by app_id, metric, dimension, day, value');
  const before = await all();
  await recountAll(analytics.database);
  expect(await all()).toEqual(before);
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

  await expectSameAfterRecount();
});

it('opens without a campaign are in no count of it', async () => {
  const opens = ['spring', 'spring', null].map((campaign, i) => ({
    event: LinkOpened,
    id: uuidOf(`open ${i}`),
    now: TODAY,
    data: { linkId: uuidOf('link'), appId: APP, address: null, utm: campaign && { ...NO_UTM, campaign } },
  }));
  await tellAll(opens, anyBus);
  expect(await countsOf('all', 'opens')).toEqual(new Map([['', 3]]));
  expect(await countsOf('utmCampaign', 'opens')).toEqual(new Map([['spring', 2]]));
  expect(await countsOf('utmSource', 'opens')).toEqual(new Map());
  await expectSameAfterRecount();
});

it('values of links keep their places, whatever was made up in the days before', async () => {
  for (const ago of [2, 1, 0]) await tap(madeUp(1_001, 'each day'), { at: new Date(TODAY.getTime() - ago * DAY_MS) });
  await tap(['summer'], { ofLink: true });
  const counts = await countsOf('utmSource');
  expect(counts.get('summer')).toBe(1);
  expect([counts.size, sum(counts)]).toEqual([1_001, 1_002]);
});

it('versions of apps have the same limit', async () => {
  const installs = madeUp(1_010).map((appVersion) => ({
    event: DeviceInstalled,
    id: uuidOf(appVersion),
    now: TODAY,
    data: { appId: APP, device: hashOf(appVersion), platform: 'ios', country: null, appVersion },
  }));
  await tellAll(installs, anyBus);
  const counts = await countsOf('appVersion', 'installs');
  expect([counts.size, counts.get('(other)'), sum(counts)]).toEqual([1_001, 10, 1_010]);
});
