import { describe, expect, it } from 'vitest';
import { quickestRoundTrip } from './quickest.ts';

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

describe('the quickest round trip', () => {
  it('is one of three when they are quick', async () => {
    const { ask, now, asked } = server(4, 2, 3);
    expect(await quickestRoundTrip(ask, 25, now)).toBe(2);
    expect(asked()).toBe(3);
  });

  it('comes later when this process was busy at first', async () => {
    const { ask, now, asked } = server(60, 80, 70, 90, 2);
    expect(await quickestRoundTrip(ask, 25, now)).toBe(2);
    expect(asked()).toBe(5);
  });

  it('is slow after a second of slow ones', async () => {
    const { ask, now, asked } = server(300);
    expect(await quickestRoundTrip(ask, 25, now)).toBe(300);
    expect(asked()).toBe(4);
  });

  it('fails with the server', async () => {
    await expect(quickestRoundTrip(() => Promise.reject(new Error('gone')), 25)).rejects.toThrow('gone');
  });
});
