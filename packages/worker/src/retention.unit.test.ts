import type { Logger } from '@landfall/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRetention, startRetention } from './retention.ts';

const HOUR_MS = 3_600_000;
let said: [level: string, facts: object][];
const log = {
  info: (facts: object) => said.push(['info', facts]),
  error: (facts: object) => said.push(['error', facts]),
} as unknown as Logger;
beforeEach(() => {
  said = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('runRetention', () => {
  it('says what it deleted, and nothing where there was nothing', async () => {
    await runRetention(async () => ({ restores: 0, contacts: 0 }), new Date(), log);
    expect(said).toEqual([]);
    await runRetention(async () => ({ restores: 2, contacts: 0 }), new Date(), log);
    expect(said).toEqual([['info', { restores: 2, contacts: 0 }]]);
  });

  it('logs a failure and goes on', async () => {
    const err = new Error('no connection');
    await runRetention(() => Promise.reject(err), new Date(), log);
    expect(said).toEqual([['error', { err }]]);
  });
});

describe('startRetention', () => {
  it('deletes every hour what is past its time then, until it is stopped', async () => {
    const times: number[] = [];
    const started = Date.now();
    const retention = startRetention(async (now) => ({ n: times.push(now.getTime() - started) }), log);
    vi.advanceTimersByTime(2 * HOUR_MS);
    await retention.stop();
    vi.advanceTimersByTime(HOUR_MS);
    expect(times).toEqual([HOUR_MS, 2 * HOUR_MS]);
  });

  it('ends the run that is under way before it is stopped', async () => {
    let finish = () => {};
    const retention = startRetention(
      () =>
        new Promise((resolve) => {
          finish = () => resolve({ n: 1 });
        }),
      log,
    );
    vi.advanceTimersByTime(HOUR_MS);
    let stopped = false;
    const stop = retention.stop().then(() => {
      stopped = true;
    });
    await Promise.resolve();
    expect(stopped).toBe(false);
    finish();
    await stop;
    expect(said).toEqual([['info', { n: 1 }]]);
  });
});
