import { expect, it } from 'vitest';
import { instantIn, wallIn } from './time-zone.ts';

it('reads a time on the wall of a zone', () => {
  expect(instantIn('2026-11-24T09:30', 'Asia/Kolkata')).toBe('2026-11-24T04:00:00.000Z');
  expect(instantIn('2026-07-01T09:30', 'America/New_York')).toBe('2026-07-01T13:30:00.000Z');
  expect(instantIn('2026-01-01T09:30', 'America/New_York')).toBe('2026-01-01T14:30:00.000Z');
  expect(instantIn('', 'UTC')).toBeNull();
});

it('takes the first of two equal times, and goes on after one that is left out', () => {
  expect(instantIn('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
  expect(instantIn('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  expect(wallIn('2026-03-08T07:30:00.000Z', 'America/New_York')).toBe('2026-03-08T03:30');
});

it('writes what it reads', () => {
  for (const zone of ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago'])
    for (const wall of ['2026-01-15T00:00', '2026-06-30T23:59', '2028-02-29T12:05'])
      expect(wallIn(instantIn(wall, zone)!, zone)).toBe(wall);
});
