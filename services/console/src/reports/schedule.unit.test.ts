import { describe, expect, it } from 'vitest';
import { lastDue, nextDue, periodOf, type Schedule } from './schedule.ts';

const daily = (hour: number): Schedule => ({ every: 'day', day: 1, hour });
const weekly = (day: number, hour: number): Schedule => ({ every: 'week', day, hour });
const monthly = (day: number, hour = 9): Schedule => ({ every: 'month', day, hour });
const next = (schedule: Schedule, zone: string, after: string) =>
  nextDue(schedule, zone, new Date(after)).at.toISOString().slice(0, 16);

describe('a report is due', () => {
  it.each([
    // 2026-11-30 is a Monday.
    ['Asia/Singapore', '2026-11-30T01:00'],
    ['America/Los_Angeles', '2026-11-30T17:00'],
    ['Asia/Kolkata', '2026-11-30T03:30'],
    ['UTC', '2026-11-30T09:00'],
  ])('on Monday at nine in %s', (zone, at) => {
    expect(next(weekly(1, 9), zone, '2026-11-28T12:00:00Z')).toBe(at);
    expect(next(weekly(1, 9), zone, `${at}:00Z`)).toBe(next(weekly(1, 9), zone, '2026-12-01T20:00:00Z'));
  });

  it('an hour later when the clock leaves out its hour in spring', () => {
    expect(next(daily(2), 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00');
    expect(next(daily(2), 'Europe/Berlin', '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:00');
    // The clock leaves out midnight.
    expect(next(daily(0), 'America/Santiago', '2026-09-05T12:00:00Z')).toBe('2026-09-06T04:00');
  });

  it('once when the clock shows its hour twice in autumn', () => {
    expect(next(daily(2), 'Europe/Berlin', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00');
    expect(next(daily(2), 'Europe/Berlin', '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00');
    // Half an hour of daylight saving time.
    expect(next(daily(1), 'Australia/Lord_Howe', '2026-04-04T10:00:00Z')).toBe('2026-04-04T14:00');
  });

  it('on the last day of a month without a 31st', () => {
    const all: string[] = [];
    let after = new Date('2027-12-31T12:00:00Z');
    for (let i = 0; i < 4; i++) {
      const due = nextDue(monthly(31), 'UTC', after);
      all.push(due.day);
      after = due.at;
    }
    expect(all).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']);
  });

  it.each([daily(0), daily(23), weekly(7, 2), monthly(1), monthly(31)])('last where it is due next: %o', (schedule) => {
    for (const zone of ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Europe/Berlin']) {
      let after = new Date('2026-01-01T00:00:00Z');
      for (let i = 0; i < 40; i++) {
        const due = nextDue(schedule, zone, after);
        expect(lastDue(schedule, zone, due.at)).toEqual(due);
        expect(lastDue(schedule, zone, new Date(due.at.getTime() - 1)).at.getTime()).toBeLessThanOrEqual(
          after.getTime(),
        );
        after = due.at;
      }
    }
  });
});

it.each([
  [daily(9), '2026-11-23', '2026-11-22', '2026-11-22'],
  [weekly(1, 9), '2026-11-23', '2026-11-16', '2026-11-22'],
  [monthly(1), '2026-12-01', '2026-11-01', '2026-11-30'],
  [monthly(31), '2027-02-28', '2027-01-31', '2027-02-27'],
])('%o of %s is about the days since the one before', (schedule, day, from, to) => {
  expect(periodOf(schedule, day)).toEqual({ from, to });
});
