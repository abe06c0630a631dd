import { expect, it } from 'vitest';
import { firstDay, rangeOf, viewOf } from './view.ts';

it.each([
  ['Asia/Kolkata', '2026-03-01T19:00:00Z', '2026-02-24'],
  ['America/New_York', '2026-03-08T04:30:00Z', '2026-03-01'],
  ['Pacific/Kiritimati', '2026-12-31T11:00:00Z', '2026-12-26'],
])('a week ends with the day of %s', (timeZone, now, first) => {
  expect(firstDay('7', timeZone, new Date(now))).toBe(first);
});

it('asks about two days, or about days up to today', () => {
  const days = { from: '2026-01-01', to: '2026-01-31' };
  expect(rangeOf(viewOf({ ...days, days: '7' }), 'UTC')).toEqual({ ...days, filter: [] });
  expect(rangeOf(viewOf({ ...days, to: '2026-13-01', days: '7' }), 'UTC')).toEqual({
    from: firstDay('7', 'UTC'),
    filter: [],
  });
});

it('splits by labels of the app', () => {
  expect(viewOf({ by: 'label:inviter' })).toEqual({ by: 'label:inviter' });
  expect(viewOf({ by: 'label:' })).toEqual({});
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
