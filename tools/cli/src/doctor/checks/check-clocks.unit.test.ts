import { expect, it } from 'vitest';
import { clocksFindings, type Reading } from './check-clocks.ts';

const NOON = Date.parse('2026-11-21T12:00:00.400Z');
const read = (who: string, aheadMs: number, more: Partial<Reading> = {}): Reading => ({
  who,
  now: NOON + aheadMs,
  askedAt: NOON,
  answeredAt: NOON,
  ...more,
});
const found = (...readings: Reading[]) => clocksFindings(readings).map(({ state, says }) => `${state} ${says}`);

it('agree, within a second', () => {
  expect(found(read('PostgreSQL', 900), read('Redis', -1_000))).toEqual([
    'ok PostgreSQL, Redis and this machine agree within a second',
  ]);
});

it('are named one by one: over a second a warning, over five a failure', () => {
  expect(found(read('PostgreSQL', 0), read('Redis', 1_500), read('gateway g1', -6_000))).toEqual([
    "warn the clock of Redis is 1.5 s ahead of this machine's",
    "fail the clock of gateway g1 is 6.0 s behind this machine's",
  ]);
});

it("is ours when all the others' agree", () => {
  expect(found(read('PostgreSQL', 6_000), read('Redis', 6_100))).toEqual([
    "fail this machine's clock is 6.0 s behind all the others'",
  ]);
});

it('are given the time that asking took', () => {
  expect(found(read('PostgreSQL', 2_000, { answeredAt: NOON + 6_000 }))[0]).toMatch(/^ok/);
});

it('that say whole seconds are given the rest of it', () => {
  const coarse = { coarse: true };
  expect(found(read('gateway at x', -1_900, coarse))[0]).toMatch(/^ok/);
  expect(found(read('gateway at x', -2_100, coarse))[0]).toMatch(/^warn/);
});

it('are skipped where there is none to read', () => {
  expect(found()).toEqual(['skipped no other clock could be read']);
});
