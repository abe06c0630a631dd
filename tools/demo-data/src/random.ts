// Random numbers from a seed. Libraries take a seed of 32 bits. Ids need more, so that two apps never share one.
import { hash } from 'node:crypto';

/** Random values. The same seed gives the same values in the same order. */
export type Random = ReturnType<typeof randomOf>;

const codes = (text: string): Uint8Array => new TextEncoder().encode(text);
const BASE64URL = codes('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
/** The last character of 32 bytes holds four bits. */
const LAST = codes('AEIMQUYcgkosw048');
const HEX = codes('0123456789abcdef');
/** The version of random ids. */
const UUID = 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx';
/** The places of the random digits, but not that of the variant, which has two random bits. */
const DIGITS = [...UUID].flatMap((char, place) => (char === 'x' ? [place] : []));
const VARIANT = UUID.indexOf('y');

/** Returns the generator xoshiro128** with the SHA-256 of the seed as its state. */
export function randomOf(seed: string) {
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
  // Text from bytes is one piece. Text from parts keeps its parts, and takes ten times the memory.
  const idText = Buffer.from(UUID);
  const hashText = Buffer.alloc(43);
  const next = () => (bits() >>> 0) / 4_294_967_296;

  return {
    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    next,
    /** Returns a whole number from 0 to n - 1. */
    below: (n: number): number => Math.floor(next() * n),
    /** Returns true with this probability, from 0 to 1. */
    chance: (probability: number): boolean => next() < probability,
    /** Returns a positive number. Half of all values are below the median. A larger spread gives a longer tail. */
    skewed(median: number, spread: number): number {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
    uuid(): string {
      let word = bits();
      idText[VARIANT] = HEX[0x8 | (word & 0x3)]!;
      for (let n = 0; n < DIGITS.length; n++) {
        word = n % 8 === 0 ? bits() : word >>> 4;
        idText[DIGITS[n]!] = HEX[word & 0xf]!;
      }
      return idText.toString('latin1');
    },
    /** Returns 32 bytes as base64url, as the keyed hash of anything looks. */
    hash(): string {
      let word = 0;
      for (let n = 0; n < 42; n++) {
        word = n % 5 === 0 ? bits() : word >>> 6;
        hashText[n] = BASE64URL[word & 0x3f]!;
      }
      hashText[42] = LAST[bits() >>> 28]!;
      return hashText.toString('latin1');
    },
  };
}

/** Values with their weights. A value with twice the weight is picked twice as often. */
type Weights<T extends string> = Readonly<Record<T, number>>;

export const picker = <T extends string>(weights: Weights<T>) => valuePicker(Object.entries(weights) as [T, number][]);

/** Returns a function that picks one of these values. */
export function valuePicker<T>(weighted: readonly (readonly [value: T, weight: number])[]): (random: Random) => T {
  let total = 0;
  const bounds = weighted.map(([, weight]) => {
    total += weight;
    return total;
  });
  return (random) => {
    const point = random.next() * total;
    return weighted[bounds.findIndex((bound) => point < bound)]![0];
  };
}
