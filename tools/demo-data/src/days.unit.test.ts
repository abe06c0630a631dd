import { expect, test } from 'vitest';
import { daysUpTo } from './days.ts';

const HOUR_MS = 3_600_000;

test('days begin at midnight on the clock of the zone, and leave no gap', () => {
  // Germany leaves summer time on 25 October.
  const days = daysUpTo(new Date('2026-10-27T11:00:00.000Z'), 4, 'Europe/Berlin');
  expect(days.map(({ start, end }) => [new Date(start).toISOString(), (end - start) / HOUR_MS])).toEqual([
    ['2026-10-23T22:00:00.000Z', 24],
    ['2026-10-24T22:00:00.000Z', 25],
    ['2026-10-25T23:00:00.000Z', 24],
    ['2026-10-26T23:00:00.000Z', 12],
  ]);
  expect(days.map(({ weekday }) => weekday)).toEqual([5, 6, 0, 1]);
});

test('a range that ends at midnight ends with a whole day', () => {
  const days = daysUpTo(new Date('2026-11-22T18:15:00.000Z'), 2, 'Asia/Kathmandu');
  expect(days.map(({ end }) => new Date(end).toISOString())).toEqual([
    '2026-11-21T18:15:00.000Z',
    '2026-11-22T18:15:00.000Z',
  ]);
  expect(days.map(({ share }) => share)).toEqual([1, 1]);
});

test('times rise with the share of people, and stay within the day', () => {
  for (const until of ['2026-11-23T00:00:00.000Z', '2026-11-22T00:00:00.001Z', '2026-11-22T13:20:00.000Z']) {
    const [day] = daysUpTo(new Date(until), 1, 'UTC');
    const times = Array.from({ length: 1_000 }, (_, n) => day!.at(n / 1_000));
    expect(times[0]).toBe(day!.start);
    expect(times.every((time, n) => time < day!.end && (n === 0 || time >= times[n - 1]!))).toBe(true);
    expect(day!.end - times.at(-1)!).toBeLessThan(HOUR_MS);
  }
  const [whole] = daysUpTo(new Date('2026-11-24T00:00:00.000Z'), 1, 'UTC');
  const [half] = daysUpTo(new Date('2026-11-23T12:00:00.000Z'), 1, 'UTC');
  expect(half!.share).toBeGreaterThan(0.2);
  expect(half!.share).toBeLessThan(0.3);
  expect(half!.at(0.5)).toBe(whole!.at(0.5 * half!.share));
});
