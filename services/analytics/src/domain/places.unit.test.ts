import { describe, expect, it } from 'vitest';
import { type DayCount, rank } from './counting.ts';
import { type Change, exchanged, isOpen, MOST_VALUES, OTHER, placed } from './places.ts';

const change = (given: Partial<Change>): Change => ({
  appId: 'a',
  metric: 'clicks',
  dimension: 'utmSource',
  day: '2026-11-26',
  value: 'x',
  n: 1,
  rank: rank.unknown,
  stored: null,
  size: 0,
  ...given,
});
const numbers = (counts: readonly DayCount[]) => counts.map(({ value, n }) => [value, n]);

describe('values have places', () => {
  it('as long as there are some, then they are counted together', () => {
    const changes = ['a', 'b', 'c', 'd'].map((value) => change({ value, size: MOST_VALUES - 2 }));
    const { counts, homeless } = placed(changes);
    expect(numbers(counts)).toEqual([
      ['a', 1],
      ['b', 1],
      [OTHER, 2],
    ]);
    expect(homeless).toEqual([]);
  });

  it('each dimension, metric and day its own', () => {
    const changes = ['a', 'b'].flatMap((value) => [
      change({ value, size: MOST_VALUES - 1 }),
      change({ value, dimension: 'utmTerm', size: MOST_VALUES }),
      change({ value, day: '2026-11-25', size: 3 }),
    ]);
    expect(placed(changes).counts.map(({ day, dimension, value, n }) => [day.slice(-2), dimension, value, n])).toEqual([
      ['26', 'utmSource', 'a', 1],
      ['26', 'utmSource', OTHER, 1],
      ['26', 'utmTerm', OTHER, 2],
      ['25', 'utmSource', 'a', 1],
      ['25', 'utmSource', 'b', 1],
    ]);
  });

  it('that are known first, and a value with a count keeps it', () => {
    const changes = [
      change({ value: 'made up', n: 50, size: MOST_VALUES - 1 }),
      change({ value: 'last week', rank: rank.ofLastDays, size: MOST_VALUES - 1 }),
      change({ value: 'of a link', rank: rank.ofLink, size: MOST_VALUES - 1 }),
      change({ value: 'here', stored: 7 }),
      change({ value: '', n: 9 }),
    ];
    const { counts, homeless } = placed(changes);
    expect(numbers(counts)).toEqual([
      ['here', 1],
      ['', 9],
      ['of a link', 1],
      [OTHER, 50],
    ]);
    expect(numbers(homeless)).toEqual([['last week', 1]]);
  });

  it('that others give up, when those are less known', () => {
    const homeless = [
      change({ value: 'of a link', rank: rank.ofLink, n: 2 }),
      change({ value: 'last week', rank: rank.ofLastDays, n: 3 }),
    ];
    const last = [change({ value: 'made up', n: 5 }), change({ value: 'known', n: 6, rank: rank.ofLastDays })];
    const { counts, givenUp } = exchanged(homeless, last);
    expect(numbers(givenUp)).toEqual([['made up', 5]]);
    expect(numbers(counts)).toEqual([
      ['of a link', 2],
      [OTHER, 8],
    ]);
  });

  it('and what is taken away is taken from where it was counted', () => {
    const changes = [
      change({ value: 'own', n: -2, stored: 5 }),
      change({ value: 'folded', n: -1, stored: null, size: MOST_VALUES }),
      change({ value: 'both', n: -3, stored: 1 }),
    ];
    expect(numbers(placed(changes).counts)).toEqual([
      ['own', -2],
      [OTHER, -3],
      ['both', -1],
    ]);
  });

  it('only where anybody can make values up', () => {
    const open = ['label:inviter', 'referrer', 'appVersion', 'language', 'utmTerm', 'browser'];
    expect(open.every((dimension) => isOpen({ dimension }))).toBe(true);
    expect(['all', 'country', 'platform', 'via'].some((dimension) => isOpen({ dimension }))).toBe(false);
  });
});
