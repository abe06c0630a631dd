import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparedWith } from './comparison.ts';
import { before, bucketed, monthsBefore, rangeOf, rounded } from './range.ts';
import { zoneOf } from './zone.ts';

const zone = zoneOf('America/New_York');
const now = new Date('2026-11-28T17:20:30.400Z');
const inZone = ({ from, to }: { from: number; to: number }) => [from, to].map((ms) => new Date(ms).toISOString());

it('the same days are one range, however they are named', () => {
  const preset = rangeOf(zone, '2026-10-30', null, now);
  expect(rangeOf(zone, '2026-10-30', '2026-11-28', now)).toEqual(preset);
  expect(rangeOf(zone, '2026-10-30', '2026-12-31', now)).toEqual(preset);
  expect(rangeOf(zone, null, '2026-11-28', now)).toEqual(preset);
  expect(rangeOf(zone, null, null, now)).toEqual(preset);
  expect(preset.to).toBe(now.getTime());
});

it('days that are over keep their end, and days to come are a range of their own', () => {
  expect(inZone(rangeOf(zone, '2026-11-01', '2026-11-02', now))).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-03T05:00:00.000Z',
  ]);
  expect(inZone(rangeOf(zone, '2026-12-01', '2026-12-01', now))).toEqual([
    '2026-12-01T05:00:00.000Z',
    '2026-12-02T05:00:00.000Z',
  ]);
});

it.each([
  ['2026-11-10', '2026-11-14', '2025-11-10T05:00:00.000Z', '2025-11-15T05:00:00.000Z'],
  // Today until now.
  ['2026-11-28', null, '2025-11-28T05:00:00.000Z', '2025-11-28T17:20:30.400Z'],
  // There was no 29 February.
  ['2024-02-28', '2024-02-29', '2023-02-28T05:00:00.000Z', '2023-03-01T05:00:00.000Z'],
])('the year before %s to %s', (from, to, first, end) => {
  expect(inZone(monthsBefore(rangeOf(zone, from, to, now), 12))).toEqual([first, end]);
});

it.each([
  // This month until now.
  ['2026-11-01', null, '2026-10-01T04:00:00.000Z', '2026-10-28T16:20:30.400Z'],
  ['2026-01-01', '2026-01-31', '2025-12-01T05:00:00.000Z', '2026-01-01T05:00:00.000Z'],
  ['2026-03-29', '2026-03-31', '2026-02-28T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
])('the month before %s to %s', (from, to, first, end) => {
  expect(inZone(monthsBefore(rangeOf(zone, from, to, now), 1))).toEqual([first, end]);
});

it('without facts a comparison ends with the hour or the day, as counts do', () => {
  const range = bucketed(rangeOf(zone, '2026-11-28', null, now), 'hour');
  if ('code' in range) throw new Error(range.code);
  const ask = (groupBy: 'country' | null, factsFrom: number | null) =>
    inZone(
      comparedWith(range, { filters: [], groupBy }, { previous: true, lastYear: true, lastMonth: false }, factsFrom)!,
    )[1];
  expect(ask(null, 0)).toBe('2025-11-28T17:20:30.400Z');
  expect(ask(null, now.getTime())).toBe('2025-11-28T18:00:00.000Z');
  expect(ask('country', null)).toBe('2025-11-29T05:00:00.000Z');
  expect(
    comparedWith(range, { filters: [], groupBy: null }, { previous: false, lastYear: true, lastMonth: false }, 0),
  ).toBeNull();
});

it('the days before are as many, and end before the range begins', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 90 }), (ago, length) => {
      const at = new Date(now.getTime() - ago * 86_400_000);
      const range = rangeOf(zone, zone.at(at.getTime() - length * 86_400_000).day, null, at);
      for (const period of [before(range), rounded(before(range), 'day')]) {
        expect(period.to).toBeLessThanOrEqual(range.from);
        expect(bucketed(period, 'day')).toMatchObject({ buckets: { length: length + 1 } });
      }
    }),
  );
});
