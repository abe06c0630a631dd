import { describe, expect, it } from 'vitest';
import { windowIn } from './windows.ts';

const HOUR = 3_600_000;

/** Hours of five weeks up to a time. The value of each is its hour on the clock of Berlin, 100 more in the first week. */
function hoursUntil(end: string) {
  const to = Date.parse(end);
  const last = Math.floor((to - 1) / HOUR) * HOUR;
  const starts = Array.from({ length: 30 * 24 + 1 }, (_, i) => last - (30 * 24 - i) * HOUR);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' });
  return {
    buckets: starts.map((ms) => new Date(ms).toISOString()),
    to: end,
    values: starts.map((ms) => Number(clock.format(ms))),
  };
}

describe('the hours of an alert', () => {
  it('are the last complete ones, beside the same of four weeks', () => {
    const window = windowIn(hoursUntil('2026-11-28T15:20:00.000Z'), 3, 'Europe/Berlin', 0);
    expect(window.from.toISOString()).toBe('2026-11-28T12:00:00.000Z');
    expect(window.to.toISOString()).toBe('2026-11-28T15:00:00.000Z');
    expect(window).toMatchObject({ value: 13 + 14 + 15, expected: 13 + 14 + 15, weeks: 4 });
  });

  it('end now at the full hour', () => {
    const window = windowIn(hoursUntil('2026-11-28T15:00:00.000Z'), 1, 'Europe/Berlin', 0);
    expect(window.to.toISOString()).toBe('2026-11-28T15:00:00.000Z');
  });

  it.each(['2026-04-10T09:20:00.000Z', '2026-11-06T09:20:00.000Z'])(
    'are the same on the clock, also when it was set between (%s)',
    (end) => {
      const { value, expected, weeks } = windowIn(hoursUntil(end), 2, 'Europe/Berlin', 0);
      expect([expected, weeks]).toEqual([value, 4]);
    },
  );

  it('have nothing to compare with while fewer than two weeks are counted', () => {
    const counted = hoursUntil('2026-11-28T15:20:00.000Z');
    const since = (day: string) => windowIn(counted, 1, 'Europe/Berlin', Date.parse(`${day}T00:00:00Z`));
    expect(since('2026-11-15')).toMatchObject({ expected: null, weeks: 1 });
    expect(since('2026-11-14')).toMatchObject({ expected: 15, weeks: 2 });
  });
});

it('the day of an alert is the last whole one, in the zone of the app', () => {
  const starts = Array.from({ length: 31 }, (_, i) => Date.UTC(2026, 9, 29 + i) - 5.5 * HOUR);
  const counted = {
    buckets: starts.map((ms) => new Date(ms).toISOString()),
    to: '2026-11-28T10:00:00.000Z',
    values: starts.map((_, i) => i),
  };
  const window = windowIn(counted, 0, 'Asia/Kolkata', 0);
  expect(window.from.toISOString()).toBe('2026-11-26T18:30:00.000Z');
  expect(window.to.toISOString()).toBe('2026-11-27T18:30:00.000Z');
  // The values 29 - 7, - 14, - 21, - 28.
  expect(window).toMatchObject({ value: 29, expected: (15 + 8) / 2, weeks: 4 });
});
