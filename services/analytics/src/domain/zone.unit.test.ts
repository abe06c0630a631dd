import { describe, expect, it } from 'vitest';
import { bucketed } from './range.ts';
import { addDays, firstDayAfter, firstDayOf, zoneOf } from './zone.ts';

const HOUR = 3_600_000;
const YEAR = [Date.parse('2025-12-31T00:00:00.000Z'), Date.parse('2027-01-02T00:00:00.000Z')] as const;

describe.each([
  ['Asia/Kolkata', [24]],
  ['Asia/Kathmandu', [24]],
  // Half an hour of daylight saving time.
  ['Australia/Lord_Howe', [24, 24.5, 23.5]],
  ['Pacific/Chatham', [24, 25, 23]],
  ['America/New_York', [24, 23, 25]],
  // Midnight is left out: the day begins at 01:00.
  ['America/Santiago', [24, 25, 23]],
  ['UTC', [24]],
])('%s', (name, lengths) => {
  const zone = zoneOf(name);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'short' });

  it('gives every instant its day and the hour on its clock', () => {
    const isRight = (ms: number) => {
      const { day, hour } = zone.at(ms);
      const clock = format.format(ms);
      const sameHour = format.format(hour).slice(0, 13) === clock.slice(0, 13);
      return day === clock.slice(0, 10) && hour <= ms && ms - hour < HOUR && sameHour;
    };
    const wrong: string[] = [];
    for (let ms = YEAR[0]; ms < YEAR[1]; ms += 37 * 60_000) if (!isRight(ms)) wrong.push(new Date(ms).toISOString());
    expect(wrong).toEqual([]);
  });

  it('has days and hours without gaps and overlaps', () => {
    const range = { zone, from: zone.dayStart('2026-01-01'), to: zone.dayStart('2027-01-01') };
    const days = bucketed(range, 'day');
    if ('code' in days) throw new Error(days.code);
    expect(days.buckets.length).toBe(365);
    const ends = [...days.buckets.slice(1), range.to];
    expect(new Set(days.buckets.map((start, i) => (ends[i]! - start) / HOUR))).toEqual(new Set(lengths));
    let hours = 0;
    days.buckets.forEach((start, i) => {
      const day = bucketed({ zone, from: start, to: ends[i]! }, 'hour');
      if ('code' in day) throw new Error(day.code);
      if (day.buckets.some((ms) => zone.at(ms).hour !== ms)) throw new Error(`an hour of ${start} begins elsewhere`);
      hours += day.buckets.length;
    });
    const year = (range.to - range.from) / HOUR;
    // A change of the clock at 02:45 makes two parts of hours.
    expect(hours - year).toBeGreaterThanOrEqual(0);
    expect(hours - year).toBeLessThanOrEqual(2);
  });

  it('begins a day where the day before ends', () => {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
      const start = zone.dayStart(day);
      expect(zone.at(start).day).toBe(day);
      expect(zone.at(start - 1).day).toBe(addDays(day, -1));
    }
  });
});

it('weeks begin on Monday, months on their first day', () => {
  expect(firstDayOf('week', '2026-11-22')).toBe('2026-11-16');
  expect(firstDayOf('week', '2026-11-23')).toBe('2026-11-23');
  expect(firstDayAfter('week', '2026-11-23')).toBe('2026-11-30');
  expect(firstDayOf('month', '2026-02-28')).toBe('2026-02-01');
  expect(firstDayAfter('month', '2026-12-31')).toBe('2027-01-01');
});
