// Hashes short texts to 64 bits with HalfSipHash-2-4, whose words have 32 bits as the integers of JavaScript have. The
// key is a secret of the process, so that nobody can choose texts with equal hashes. An HMAC takes ten times as long and
// makes objects.
import { getRandomValues } from 'node:crypto';

export interface KeyedHash {
  /** Hashes a text. The result is in `high` and `low`, so that no object is made. */
  of(kind: number, text: string): void;
  readonly high: number;
  readonly low: number;
}

/** @param key two secret words of 32 bits */
export function keyedHash(key = getRandomValues(new Uint32Array(2))): KeyedHash {
  const [k0 = 0, k1 = 0] = key;
  let [v0, v1, v2, v3] = [0, 0, 0, 0];
  const hash = { high: 0, low: 0, of };

  function round(): void {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }

  function word(value: number): void {
    v3 ^= value;
    round();
    round();
    v0 ^= value;
  }

  function half(): number {
    for (let i = 0; i < 4; i++) round();
    return (v1 ^ v3) >>> 0;
  }

  /** Two characters are one word. The last word holds the kind and the length, so that no two inputs have equal words. */
  function of(kind: number, text: string): void {
    v0 = k0;
    v1 = k1 ^ 0xee;
    v2 = k0 ^ 0x6c796765;
    v3 = k1 ^ 0x74656462;
    const { length } = text;
    for (let at = 0; at < length; at += 2)
      word(text.charCodeAt(at) | (at + 1 < length ? text.charCodeAt(at + 1) << 16 : 0));
    word((length << 8) | kind);
    v2 ^= 0xee;
    hash.high = half();
    v1 ^= 0xdd;
    hash.low = half();
  }

  return hash;
}
