// Random numbers that a seed decides. `createRandom` is a stream for things that are drawn in a fixed order. `drawOf` is
// a function of its arguments, for facts that are asked for in any order: where a person is at some time.
import { randomExponential, randomGamma, randomGeometric, randomLogNormal, randomPoisson } from 'd3-random';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export function createRandom(seed: string) {
  const generator = xoroshiro128plus(numberOf(seed));
  /** Returns a number from 0 to 1, without 1. */
  const uniform = (): number => (generator.next() >>> 0) / 2 ** 32;
  /** Returns an integer from 0 to `n` - 1. */
  const below = (n: number): number => Math.floor(uniform() * n);
  const logNormal = randomLogNormal.source(uniform)(0, 1);
  const exponential = randomExponential.source(uniform)(1);
  const gamma = randomGamma.source(uniform);
  const poisson = randomPoisson.source(uniform);
  const geometric = randomGeometric.source(uniform);
  return {
    uniform,
    below,
    chance: (probability: number): boolean => uniform() < probability,
    pick: <T>(values: ArrayLike<T>): T => values[below(values.length)]!,
    /** Returns an index. Each index is as likely as its weight says. */
    weighted: (sums: Float64Array): number => indexAt(sums, uniform()),
    logNormal: (median: number, sigma: number): number => median * logNormal() ** sigma,
    exponential: (mean: number): number => mean * exponential(),
    gamma: (mean: number, shape: number): number => gamma(shape, mean / shape)(),
    poisson: (mean: number): number => (mean > 0 ? poisson(mean)() : 0),
    /** Returns an integer from 1, with this mean. */
    atLeastOne: (mean: number): number => geometric(1 / mean)(),
  };
}
export type Random = ReturnType<typeof createRandom>;

/** Returns the sums of the weights up to each index, for `weighted`. */
export function sumsOf(weights: Iterable<number>): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight));
}

/** Returns the index whose share of the sums holds this point, from 0 to 1. */
export function indexAt(sums: Float64Array, point: number): number {
  const at = point * sums[sums.length - 1]!;
  let low = 0;
  for (let high = sums.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns weights as in Zipf's law. */
export const zipf = (n: number, exponent: number): Float64Array =>
  sumsOf(Array.from({ length: n }, (_, rank) => (rank + 1) ** -exponent));

/** Returns a number from 0 to 1, without 1. Equal arguments give the same number. */
export function drawOf(seed: number, what: number, a: number, b = 0): number {
  let h = mixed(seed ^ Math.imul(what + 1, 0x9e3779b1));
  h = mixed(h ^ Math.imul(a + 1, 0x85ebca77));
  h = mixed(h ^ Math.imul(b + 1, 0xc2b2ae3d));
  return (h >>> 0) / 2 ** 32;
}

/** Returns a 32-bit number for a text. */
export function numberOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = mixed(Math.imul(h ^ text.charCodeAt(i), 0x01000193));
  return h >>> 0;
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the bits of the output. */
function mixed(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
