import { expect, it } from 'vitest';
import { minutesAgo, NOON } from '../values.testing.ts';
import { rolloutOf } from './rollout.ts';

const before = { seen: 0, firstSeen: 0 };
const daysAgo = (n: number) => minutesAgo(n * 24 * 60);

it('takes an app for young until it is eight days old, whatever its devices are', () => {
  const settled = { seen: 1_000, firstSeen: 1, before };
  const eightDaysOn = new Date(NOON.getTime() + 8 * 86_400_000).toISOString();
  expect(rolloutOf(NOON, NOON, settled)).toEqual({ reason: 'young', until: eightDaysOn, isFirstDay: true });
  expect(rolloutOf(daysAgo(7.99), NOON, settled)?.reason).toBe('young');
  expect(rolloutOf(daysAgo(8), NOON, settled)).toBeNull();
});

it.each([
  [1_000, 119, false],
  [1_000, 120, true],
  [9, 1, false],
  [8, 1, true],
  [1, 1, true],
])('sees in %i devices, of them %i for the first time, whether many are new', (seen, firstSeen, many) => {
  const isFirstDay = seen >= 100;
  const expected = many ? { reason: 'manyNewDevices', until: null, isFirstDay } : null;
  expect(rolloutOf(daysAgo(30), NOON, { seen, firstSeen, before })).toEqual(expected);
  // A message of an earlier version does not contain the age of the app.
  expect(rolloutOf(null, NOON, { seen, firstSeen, before })).toEqual(expected);
});

it('sees them a day longer', () => {
  const now = { seen: 1_000, firstSeen: 20 };
  const after = (before: typeof now) => rolloutOf(daysAgo(30), NOON, { ...now, before });
  expect(after({ seen: 1_000, firstSeen: 120 })?.reason).toBe('manyNewDevices');
  expect(after({ seen: 1_000, firstSeen: 119 })).toBeNull();
  expect(after({ seen: 0, firstSeen: 0 })).toBeNull();
});

it('takes an app of which nothing was seen for one that has not begun', () => {
  expect(rolloutOf(daysAgo(30), NOON, { seen: 0, firstSeen: 0, before })?.reason).toBe('manyNewDevices');
});

it.each([null, NOON])('knows the first day of a rollout, when it is no trial: app of %s', (createdAt) => {
  const isFirst = (seen: number, seenBefore: number) =>
    rolloutOf(createdAt, NOON, { seen, firstSeen: seen, before: { seen: seenBefore, firstSeen: seenBefore } })
      ?.isFirstDay;
  expect([isFirst(99, 0), isFirst(100, 0), isFirst(100, 1)]).toEqual([false, true, false]);
});
