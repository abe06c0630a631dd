// Checks the people who tap: where they are, when they tap, and with what.
import { expect, test } from 'vitest';
import { byDay, clicks, dayOf, isWeekend, local, mean, shares } from '../sample.testing.ts';

test('come from twelve countries', () => {
  const countries = shares(clicks.map(({ data }) => data.country));
  expect(countries.size).toBe(13);
  expect(countries.get('US')).toBeCloseTo(0.24, 1);
  expect(countries.get('US')).toBeGreaterThan(countries.get('IN')!);
  expect(countries.get('IN')).toBeGreaterThan(countries.get('DE')!);
  for (const share of countries.values()) expect(share).toBeGreaterThan(0.005);
  const german = clicks.filter(({ data }) => data.country === 'DE' && data.language !== null);
  expect(shares(german.map(({ data }) => data.language)).get('de')).toBeGreaterThan(0.8);
});

test('tap more on weekends and in the evening, and hardly at night, on the clock of the app', () => {
  const steady = byDay(clicks.filter(({ data }) => data.labels.inviter !== undefined)).slice(20, -1);
  const [free, work] = [true, false].map((weekend) =>
    mean(steady.filter(({ day }) => isWeekend(new Date(`${day}T00:00:00Z`)) === weekend).map((day) => day.length)),
  ) as [number, number];
  expect(free / work).toBeGreaterThan(1.12);
  const hours = shares(clicks.map(({ now }) => local(now).getUTCHours()));
  const between = (from: number, to: number) =>
    [...hours].filter(([hour]) => hour >= from && hour < to).reduce((sum, [, share]) => sum + share, 0);
  expect(between(1, 6)).toBeLessThan(0.03);
  expect(between(18, 23)).toBeGreaterThan(0.3);
  const morning = (weekend: boolean) =>
    mean(
      clicks
        .filter(({ now }) => isWeekend(now) === weekend)
        .map(({ now }) => ([5, 6, 7, 8].includes(local(now).getUTCHours()) ? 1 : 0)),
    );
  expect(morning(false)).toBeGreaterThan(1.3 * morning(true));
});

test('grow in number', () => {
  const sizes = byDay(clicks).map(({ length }) => length);
  expect(mean(sizes.slice(70, 89))).toBeGreaterThan(1.5 * mean(sizes.slice(20, 40)));
});

test('have browsers that fit their device', () => {
  const systems = {
    ios: ['iOS'],
    android: ['Android'],
    desktop: ['Windows', 'macOS', 'Linux', 'Chrome OS'],
    unknown: [],
  };
  const wrong = clicks.filter(({ data }) => {
    const { platform, os, browser, inApp, inAppBrowser, deferred, via, target, language } = data;
    const isPhone = platform === 'ios' || platform === 'android';
    return !(
      (os === null ? platform === 'unknown' : (systems[platform] as string[]).includes(os)) &&
      inApp === (inAppBrowser !== null) &&
      deferred === isPhone &&
      (isPhone || (via === 'link' && !inApp && target !== 'store')) &&
      (!inApp || (target === 'page' && browser === (platform === 'ios' ? 'Safari' : 'Chrome'))) &&
      (browser !== 'Safari' || os === 'iOS' || os === 'macOS') &&
      (language === null) === (platform === 'unknown')
    );
  });
  expect(wrong).toEqual([]);
  const phones = clicks.filter(({ data }) => data.deferred && !data.inApp);
  expect(mean(phones.map(({ data }) => (data.target === 'store' ? 1 : 0)))).toBeGreaterThan(0.9);
  for (const via of ['qr', 'banner'] as const)
    expect(shares(clicks.map((c) => c.data.via)).get(via)).toBeGreaterThan(0.01);
});

test('some tap again on the same day', () => {
  const taps = Map.groupBy(clicks, ({ data, now }) => `${dayOf(now)} ${data.address} ${data.userAgent}`);
  const again = [...taps.values()].filter(({ length }) => length > 1);
  expect(again.length / taps.size).toBeGreaterThan(0.08);
  expect(taps.size / clicks.length).toBeGreaterThan(0.75);
});
