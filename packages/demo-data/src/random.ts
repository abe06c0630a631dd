// Random numbers from a seed. Libraries take a seed of 32 bits. Ids need more, so that two apps never share one.
import { hash } from 'node:crypto';

/** Random values. The same seed gives the same values in the same order. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns a whole number from 0 to n - 1. */
  below(n: number): number;
  /** Returns true with this probability, from 0 to 1. */
  chance(probability: number): boolean;
  /** Returns a positive number. Half of all values are below the median. A larger spread gives a longer tail. */
  skewed(median: number, spread: number): number;
  uuid(): string;
  /** Returns 32 bytes as base64url, as the keyed hash of anything looks. */
  hash(): string;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const PAIRS = [...BASE64URL].flatMap((first) => [...BASE64URL].map((second) => first + second));
/** The last character of 32 bytes holds four bits. */
const LAST = 'AEIMQUYcgkosw048';
const HEX = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0'));

/** Returns the generator xoshiro128** with the SHA-256 of the seed as its state. */
export function randomOf(seed: string): Random {
  const state = Buffer.from(hash('sha256', seed, 'hex'), 'hex');
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => state.readInt32LE(at)) as [number, number, number, number];

  /** Returns 32 random bits, as a number with a sign. */
  function bits(): number {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  }
  const next = () => (bits() >>> 0) / 4_294_967_296;

  return {
    next,
    below: (n) => Math.floor(next() * n),
    chance: (probability) => next() < probability,
    skewed(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
    uuid() {
      const [w, x, y, z] = [bits(), bits(), bits(), bits()];
      const version = HEX[0x4000 | (x & 0xfff)]!;
      const variant = HEX[0x8000 | (y >>> 18)]!;
      return `${HEX[w >>> 16]}${HEX[w & 0xffff]}-${HEX[x >>> 16]}-${version}-${variant}-${HEX[y & 0xffff]}${HEX[z >>> 16]}${HEX[z & 0xffff]}`;
    },
    hash() {
      let text = '';
      for (let n = 0; n < 10; n++) {
        const word = bits();
        text += PAIRS[word & 0xfff]! + PAIRS[(word >>> 12) & 0xfff]!;
      }
      const word = bits();
      return text + PAIRS[word & 0xfff]! + LAST[word >>> 28]!;
    },
  };
}

/** Returns a function that picks a value. A value with twice the weight is picked twice as often. */
export function picker<T>(weighted: readonly (readonly [value: T, weight: number])[]): (random: Random) => T {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  let sum = 0;
  const bounds = weighted.map(([, weight]) => {
    sum += weight;
    return sum;
  });
  return (random) => {
    const point = random.next() * total;
    const at = bounds.findIndex((bound) => point < bound);
    return weighted.at(at)![0];
  };
}
