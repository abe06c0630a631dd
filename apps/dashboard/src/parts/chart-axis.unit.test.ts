import { expect, it } from 'vitest';
import { topOf } from './chart-axis.ts';

it.each([
  [0, 1],
  [1, 2],
  [4, 6],
  [20, 30],
  [27, 30],
  [1_254, 1_500],
  [0.4, 1],
])('a highest point of %d has an axis up to %d', (max, top) => {
  expect(topOf(max)).toBe(top);
  expect(topOf(max)).toBeGreaterThan(max);
});
