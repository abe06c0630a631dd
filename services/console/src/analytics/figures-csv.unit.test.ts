import { expect, it } from 'vitest';
import { figuresAsCsv } from './figures-csv.ts';

async function linesOf(interval: 'hour' | 'day' | 'week' | 'month' | 'total', timeZone: string, times: string[]) {
  const buckets = times.slice(1).map((to, i) => ({ from: times[i]!, to }));
  const values = buckets.map((_, i) => i);
  const groups = [{ value: 'DE', name: null, values }];
  const figures = { metric: 'clicks', interval, timeZone, buckets, values, groups, other: { groups: 2, values } };
  const parts: string[] = [];
  for await (const part of figuresAsCsv(figures)) parts.push(part);
  return parts.join('').trimEnd().split('\r\n');
}

it.each([
  ['day', 'Asia/Tokyo', ['2026-11-26T15:00:00.000Z', '2026-11-27T15:00:00.000Z'], '2026-11-27,2026-11-27'],
  // A day of 25 hours, and one that begins at 01:00.
  ['day', 'America/New_York', ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'], '2026-11-01,2026-11-01'],
  ['day', 'Africa/Cairo', ['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'], '2026-04-24,2026-04-24'],
  ['week', 'Asia/Kathmandu', ['2026-11-22T18:15:00.000Z', '2026-11-29T18:15:00.000Z'], '2026-11-23,2026-11-29'],
  ['month', 'Pacific/Kiritimati', ['2026-10-31T10:00:00.000Z', '2026-11-30T10:00:00.000Z'], '2026-11-01,2026-11-30'],
  // Not whole days.
  ['total', 'UTC', ['2026-11-01T09:00:00.000Z', '2026-11-03T10:00:00.000Z'], '2026-11-01,2026-11-03'],
  [
    'hour',
    'Asia/Kolkata',
    ['2026-11-26T18:30:00.000Z', '2026-11-26T19:30:00.000Z'],
    '2026-11-27T00:00:00+05:30,2026-11-27T01:00:00+05:30',
  ],
  // The second hour of this name.
  [
    'hour',
    'America/New_York',
    ['2026-11-01T06:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    '2026-11-01T01:00:00-05:00,2026-11-01T02:00:00-05:00',
  ],
  [
    'hour',
    'UTC',
    ['2026-11-01T06:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    '2026-11-01T06:00:00+00:00,2026-11-01T07:00:00+00:00',
  ],
] as const)('a %s in %s has the times of its clock', async (interval, timeZone, times, span) => {
  expect(await linesOf(interval, timeZone, [...times])).toEqual([
    'from,to,value,name,clicks',
    `${span},DE,,0`,
    `${span},(2 others),,0`,
  ]);
});
