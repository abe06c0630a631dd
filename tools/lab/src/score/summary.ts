// Turns the scores of several seeds into figures with 95 % intervals.
import { type Score, sumOf } from './score.ts';

/** A figure, and the interval that holds its true value with 95 %. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export type Summary = ReturnType<typeof summarizeMean>;

/** Summarizes the scores of one rule in one world, one score for each seed. */
export const summarize = (scores: readonly Score[]): Summary => summarizeMean([scores]);

/**
 * Returns the mean of several worlds, each with the same weight. A sum over worlds would move with the number of installs
 * in each.
 * @param worlds the scores of each world, one for each seed
 */
export function summarizeMean(worlds: readonly (readonly Score[])[]) {
  const sums = worlds.map(sumOf);
  const perThousand = (name: 'wrong' | 'wrongExisting' | 'repeated') =>
    meanOfCounts(sums.map((sum) => ({ count: sum[name], weight: 1000 / sum.installs / sums.length })));
  return {
    installs: sumOf(sums).installs,
    /** Links that people got and never tapped, per 1,000 installs. */
    wrong: perThousand('wrong'),
    /** Of these, those that went to users who had the app for over an hour. */
    wrongExisting: perThousand('wrongExisting'),
    /** Due links that arrived, per 100 installs that came from a tap. */
    found: meanOfShares(sums.map(({ found, fromTap }) => ({ count: found, of: fromTap }))),
    /** Links that a device got again, per 1,000 installs. */
    repeated: perThousand('repeated'),
  };
}

const Z = 1.96;

/**
 * Returns the weighted sum of rare counts, with the interval of Fay and Feuer (1997). For one count it is the exact one of
 * Poisson.
 */
function meanOfCounts(counts: readonly { readonly count: number; readonly weight: number }[]): Figure {
  const value = sum(counts.map(({ count, weight }) => count * weight));
  const variance = sum(counts.map(({ count, weight }) => count * weight ** 2));
  const most = Math.max(...counts.map(({ weight }) => weight));
  const low = value === 0 ? 0 : (variance / (2 * value)) * chiSquare((2 * value ** 2) / variance, -Z);
  const [above, spread] = [value + most, variance + most ** 2];
  return { value, low, high: (spread / (2 * above)) * chiSquare((2 * above ** 2) / spread, Z) };
}

/** Returns a quantile of the chi-square distribution, by the formula of Wilson and Hilferty. */
const chiSquare = (freedom: number, z: number): number =>
  freedom * Math.max(0, 1 - 2 / (9 * freedom) + z * Math.sqrt(2 / (9 * freedom))) ** 3;

/** Returns the mean of shares, of 100. */
function meanOfShares(shares: readonly { readonly count: number; readonly of: number }[]): Figure {
  const value = (100 * sum(shares.map(({ count, of }) => count / of))) / shares.length;
  const variance = sum(shares.map(({ count, of }) => ((count / of) * (1 - count / of)) / of));
  const spread = (100 * Z * Math.sqrt(variance)) / shares.length;
  return { value, low: Math.max(0, value - spread), high: Math.min(100, value + spread) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
