import { expect, it } from 'vitest';
import { firstDay, viewOf } from './view.ts';

it.each([
  ['Asia/Kolkata', '2026-03-01T19:00:00Z', '2026-02-24'],
  ['America/New_York', '2026-03-08T04:30:00Z', '2026-03-01'],
  ['Pacific/Kiritimati', '2026-12-31T11:00:00Z', '2026-12-26'],
])('a week ends with the day of %s', (timeZone, now, first) => {
  expect(firstDay('7', timeZone, new Date(now))).toBe(first);
});

it('leaves out what means nothing', () => {
  expect(viewOf({ days: 30, metric: 'clicks', by: 'country', filter: ['country:DE', 1], compare: true })).toEqual({
    days: '30',
    metric: 'clicks',
    by: 'country',
    filter: ['country:DE'],
    compare: true,
  });
  expect(viewOf({ days: '8', metric: 'x', by: ['link'], filter: 'country:DE', compare: 'true' })).toEqual({});
});
