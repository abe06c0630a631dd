import { daysOf, firstDay } from '@landfall/api-client/ranges';
import { expect, it } from 'vitest';
import { askedOf, filterOf, filterText, has, METRICS, metricsOf, viewOf } from './view.ts';

it.each([
  ['Asia/Kolkata', '2026-03-01T19:00:00Z', '2026-02-24'],
  ['America/New_York', '2026-03-08T04:30:00Z', '2026-03-01'],
  ['Pacific/Kiritimati', '2026-12-31T11:00:00Z', '2026-12-26'],
])('7 days end with the day of %s', (timeZone, now, first) => {
  expect(firstDay('7', timeZone, new Date(now))).toBe(first);
});

it.each([
  ['today', '2026-11-27', 'hour'],
  ['24h', '2026-11-26T05:30:00.000Z', 'hour'],
  // 27 November 2026 is a Friday.
  ['week', '2026-11-23', 'day'],
  ['7', '2026-11-21', 'day'],
  ['30', '2026-10-29', 'day'],
  ['month', '2026-11-01', 'day'],
  ['90', '2026-08-30', 'day'],
] as const)('%s begins at %s, by the %s', (range, from, interval) => {
  const now = new Date('2026-11-27T04:47:12.345Z');
  expect(daysOf({ range }, 'Asia/Kolkata', now)).toEqual({ days: { from }, interval });
});

it.each([
  ['2026-11-01', '2026-11-02', 'hour'],
  ['2026-11-01', '2026-11-03', 'day'],
  ['2026-01-01', '2026-11-03', 'week'],
])('%s to %s is shown by the %s', (from, to, interval) => {
  expect(daysOf({ range: '7', from, to }, 'UTC')).toEqual({ days: { from, to }, interval });
});

it('a range needs two days of the calendar', () => {
  expect(viewOf({ from: '2026-01-01', to: '2026-13-01', range: '7' })).toEqual({ range: '7' });
  expect(askedOf(viewOf({ from: '2026-01-01', to: '2026-01-31', filter: ['country:DE'] }), 'UTC')).toEqual({
    from: '2026-01-01',
    to: '2026-01-31',
    filter: ['country:DE'],
  });
});

it('leaves out what means nothing, and reads addresses of before', () => {
  const view = { metric: 'clicks', filter: ['country:DE'], compare: 'year', spelling: 'exact', all: 'label:inviter' };
  expect(viewOf({ ...view, range: 30, filter: ['country:DE', 1, 'colour:red'] })).toEqual({ ...view, range: '30' });
  expect(viewOf({ range: '8', metric: 'x', all: ['link'], filter: 'country:DE', compare: true })).toEqual({});
  expect(viewOf({ days: '7', by: 'country' })).toEqual({ range: '7' });
});

it.each(['country:DE', 'utmCampaign:', 'utmCampaign:a:b', 'label:inviter:ann'])('reads and writes %s', (text) => {
  expect(filterText(filterOf(text)!)).toBe(text);
});

it('every figure has what its cards are ordered by', () => {
  for (const metric of METRICS) expect(metricsOf(metric)[0]).toBe(metric === 'visitors' ? 'clicks' : metric);
  expect(has('opens', 'browser')).toBe(false);
  expect(has('opens', 'utmCampaign')).toBe(true);
  expect(has('opens', 'label:inviter')).toBe(true);
});
