import { describe, expect, it } from 'vitest';
import { once, quickestRoundTrip } from './ask.ts';

/** A server whose round trips take these milliseconds, on a clock that only they move. The last one repeats. */
function server(...tripsMs: number[]) {
  let time = 0;
  let asked = 0;
  return {
    now: () => time,
    asked: () => asked,
    async ask() {
      time += tripsMs[Math.min(asked++, tripsMs.length - 1)]!;
    },
  };
}

it('asks once what several need', async () => {
  let n = 0;
  const find = once(async () => ++n);
  expect(n).toBe(0);
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  expect(n).toBe(1);
});

describe('the quickest round trip', () => {
  it.each([
    ['is one of three when they are quick', [4, 2, 3], 2, 3],
    ['comes later when this process was busy at first', [60, 80, 70, 90, 2], 2, 5],
    ['is slow after a second of slow ones', [300], 300, 4],
  ])('%s', async (_, trips, quickest, times) => {
    const { ask, now, asked } = server(...trips);
    expect(await quickestRoundTrip(ask, 25, now)).toBe(quickest);
    expect(asked()).toBe(times);
  });

  it('fails with the server', async () => {
    await expect(quickestRoundTrip(() => Promise.reject(new Error('gone')), 25)).rejects.toThrow('gone');
  });
});
