// The windows of rate limits in one array of fixed size: 12 bytes each, and no object or text for an address. So the
// collector of V8 has nothing to move, however many addresses call.
import { type KeyedHash, keyedHash } from './keyed-hash.ts';
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

export interface Windows {
  /** Adds calls to the window of an address. A window that has ended begins again. The result is in the fields. */
  add(kind: number, address: string, calls: number): void;
  /** The calls in the window, with the added ones. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/** @param most windows that are kept; there is room for more, because groups do not fill evenly */
export function createWindows(most: number, hash: KeyedHash = keyedHash()): Windows {
  const inGroup = Math.min(GROUP, most);
  const groups = most <= GROUP ? 1 : 2 ** Math.ceil(Math.log2((2 * most) / GROUP));
  const length = inGroup * WORDS;
  const words = new Uint32Array(groups * length);
  const result = { used: 0, leftMs: 0, add };

  /** Returns the milliseconds that a window has left. An empty window, and one of a clock that was set back, has none. */
  function left(at: number, now: number): number {
    const ms = (words[at + 1]! - now) | 0;
    return ms > 0 && ms <= WINDOW_MS && words[at + 2]! !== 0 ? ms : 0;
  }

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
