import { describe, expect, it } from 'vitest';
import { type Finding, judge, median, nextState, type Rule, type Standing } from './rules.ts';

describe('a figure', () => {
  it.each<[Rule['rule'], number | null, number, number | null, Finding]>([
    ['fall', 50, 49, 100, 'bad'],
    ['fall', 50, 50, 100, 'between'],
    ['fall', 50, 79, 100, 'between'],
    ['fall', 50, 80, 100, 'good'],
    ['fall', 50, 200, 100, 'good'],
    // More than half is gone, and that may be chance: 20 varies by 4 roots, which are 18.
    ['fall', 50, 3, 20, 'between'],
    ['fall', 50, 2, 20, 'bad'],
    ['fall', 50, 0, 19, 'FEW'],
    ['fall', 50, 0, null, 'NEW'],
    // A small bound is within chance.
    ['fall', 5, 90, 100, 'between'],
    ['fall', 5, 9_400, 10_000, 'bad'],
    ['rise', 100, 201, 100, 'bad'],
    ['rise', 100, 200, 100, 'between'],
    ['rise', 100, 140, 100, 'good'],
    ['rise', 100, 0, 100, 'good'],
    ['silence', null, 0, 20, 'bad'],
    ['silence', null, 1, 20, 'good'],
    ['silence', null, 0, 19, 'FEW'],
    ['above', 100, 101, null, 'bad'],
    ['above', 100, 100, null, 'between'],
    ['above', 100, 90, null, 'good'],
    ['above', 0, 0, null, 'good'],
    ['below', 100, 99, null, 'bad'],
    ['below', 100, 100, null, 'between'],
    ['below', 100, 110, null, 'good'],
    ['below', 1, 1, null, 'good'],
  ])('%s %s: %i where %s was expected is %s', (rule, bound, value, expected, finding) => {
    expect(judge({ rule, bound }, value, expected)).toBe(finding);
  });
});

describe('an alert', () => {
  const after = (findings: Finding[], from: Standing = { state: 'ok', streak: 0, told: 'ok' }) => {
    const states: string[] = [];
    let now = from;
    for (const finding of findings) {
      now = { ...now, ...nextState(now, finding) };
      states.push(now.state);
    }
    return states;
  };

  it('fires after two checks in a row, and ends when it is clearly over', () => {
    expect(after(['bad', 'good', 'bad', 'bad', 'bad', 'between', 'good'])).toEqual([
      'ok',
      'ok',
      'ok',
      'firing',
      'firing',
      'firing',
      'ok',
    ]);
    expect(after(['bad', 'between', 'bad'])).toEqual(['ok', 'ok', 'ok']);
  });

  it('is unknown where nobody can judge, and then goes on where it was', () => {
    expect(after(['bad', 'bad', 'BEHIND'])).toEqual(['ok', 'firing', 'unknown']);
    const told = { state: 'unknown', streak: 0, told: 'firing' } as const;
    expect(after(['bad', 'between'], told)).toEqual(['firing', 'firing']);
    expect(after(['FEW', 'good'], told)).toEqual(['unknown', 'ok']);
    expect(after(['bad', 'bad'], { ...told, told: 'ok' })).toEqual(['ok', 'firing']);
  });
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
