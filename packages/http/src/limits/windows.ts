// The windows of rate limits in one array of fixed size: 12 bytes each, and no object or text for an address. So the
// collector of V8 has nothing to move, however many addresses call.
import { getRandomValues } from 'node:crypto';
import { WINDOW_SECONDS } from './limits.ts';

/** A window is found in one group by comparing all of the group. The least recently used of a full group goes. */
const GROUP = 16;
/**
 * The words of a window: 32 bits of the hash; the end in milliseconds, modulo 2³²; 10 further bits of the hash above 22
 * bits for the calls. With the bits that choose the group, two of 200,000 addresses share a window once in a hundred
 * million calls, at random. They then share its calls, and nothing else happens.
 */
const WORDS = 3;
const CALL_BITS = 22;
const MOST_CALLS = 2 ** CALL_BITS - 1;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** @param most windows that are kept; there is room for more, because groups do not fill evenly */
export function createWindows(most: number) {
  const hash = keyedHash();
  const inGroup = Math.min(GROUP, most);
  const groups = most <= GROUP ? 1 : 2 ** Math.ceil(Math.log2((2 * most) / GROUP));
  const length = inGroup * WORDS;
  const words = new Uint32Array(groups * length);
  /** `used`: the calls in the window, with the added ones. `leftMs`: milliseconds until the window ends. */
  const result = { used: 0, leftMs: 0, add };

  /** Returns the milliseconds that a window has left. An empty window, and one of a clock that was set back, has none. */
  function left(at: number, now: number): number {
    const ms = (words[at + 1]! - now) | 0;
    return ms > 0 && ms <= WINDOW_MS && words[at + 2]! !== 0 ? ms : 0;
  }

  /** Adds calls to the window of an address. A window that has ended begins again. The result is in the fields. */
  function add(kind: number, address: string, calls: number): void {
    hash.of(kind, address);
    const now = (Date.now() % 2 ** 32) | 0;
    const start = (hash.high & (groups - 1)) * length;
    const more = (hash.high >>> CALL_BITS) << CALL_BITS;
    let free = start + length - WORDS;
    for (let at = start; at < start + length; at += WORDS) {
      const leftMs = left(at, now);
      if (leftMs === 0) free = at;
      else if (words[at] === hash.low && (words[at + 2]! & ~MOST_CALLS) === more) {
        result.used = Math.min(MOST_CALLS, (words[at + 2]! & MOST_CALLS) + calls);
        result.leftMs = leftMs;
        put(start, at, words[at + 1]!, more);
        return;
      }
    }
    result.used = calls;
    result.leftMs = WINDOW_MS;
    put(start, free, now + WINDOW_MS, more);
  }

  /** Writes the window as the first of its group, in the place of the one at `at`. The ones before it move back. */
  function put(start: number, at: number, endsAt: number, more: number): void {
    if (at > start) words.copyWithin(start + WORDS, start, at);
    words[start] = hash.low;
    words[start + 1] = endsAt;
    words[start + 2] = more | result.used;
  }

  return result;
}

/**
 * Hashes short texts to 64 bits with HalfSipHash-2-4, whose words have 32 bits as the integers of JavaScript have. The
 * key is a secret of the process, so that nobody can choose texts with equal hashes. An HMAC takes ten times as long and
 * makes objects, so the result of `of` is in `high` and `low`.
 * @param key two secret words of 32 bits
 */
export function keyedHash(key = getRandomValues(new Uint32Array(2))) {
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
