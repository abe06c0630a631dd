import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWindows, keyedHash } from './windows.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const addressOf = (n: number) => `${10 + (n >> 24)}.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

it('keeps 200,000 windows, each with its own calls', () => {
  const windows = createWindows(200_000);
  for (let n = 0; n < 200_000; n++) windows.add(n % 3, addressOf(n), 1);
  let forgotten = 0;
  for (let n = 0; n < 200_000; n++) {
    windows.add(n % 3, addressOf(n), 1);
    if (windows.used !== 2) forgotten++;
  }
  // Groups do not fill evenly: some of 32,768 get more than their 16.
  expect(forgotten).toBeLessThan(500);
});

it('replaces a window that has ended before one that still counts', () => {
  const windows = createWindows(2);
  windows.add(0, 'first', 5);
  vi.advanceTimersByTime(30_000);
  windows.add(0, 'second', 5);
  windows.add(0, 'first', 1);
  vi.advanceTimersByTime(30_000);
  windows.add(0, 'third', 1);
  windows.add(0, 'second', 1);
  expect(windows.used).toBe(6);
  expect(windows.leftMs).toBe(30_000);
});

it('counts again when the clock was set back, and after the milliseconds began anew', () => {
  const windows = createWindows(100);
  vi.setSystemTime(2 ** 32 * 400 - 1_000);
  windows.add(0, 'a', 1);
  vi.advanceTimersByTime(2_000);
  windows.add(0, 'a', 1);
  expect([windows.used, windows.leftMs]).toEqual([2, 58_000]);
  vi.setSystemTime(Date.now() - 3_600_000);
  windows.add(0, 'a', 1);
  expect([windows.used, windows.leftMs]).toEqual([1, 60_000]);
});

it('counts up to four million calls', () => {
  const windows = createWindows(100);
  windows.add(0, 'a', 4_194_300);
  windows.add(0, 'a', 100);
  expect(windows.used).toBe(4_194_303);
  windows.add(0, 'b', 1);
  expect(windows.used).toBe(1);
});

it('has another hash for each key, kind and address', () => {
  const seen = new Set<string>();
  const [one, other] = [keyedHash(new Uint32Array([1, 2])), keyedHash(new Uint32Array([1, 3]))];
  const texts = ['', 'a', 'b', 'aa', 'ab', 'ba', 'a\0', '2001:db8::/64', '2001:db8::/48'];
  for (const hash of [one, other])
    for (const kind of [0, 1])
      for (const text of texts) {
        hash.of(kind, text);
        seen.add(`${hash.high} ${hash.low}`);
      }
  expect(seen.size).toBe(2 * 2 * texts.length);
});

it('fills all groups evenly', () => {
  const hash = keyedHash();
  const groups = new Array<number>(256).fill(0);
  for (let n = 0; n < 25_600; n++) {
    hash.of(0, addressOf(n));
    groups[hash.high & 255]!++;
  }
  expect(Math.min(...groups)).toBeGreaterThan(50);
  expect(Math.max(...groups)).toBeLessThan(160);
});
