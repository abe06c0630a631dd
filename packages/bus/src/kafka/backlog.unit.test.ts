import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchBacklog } from './backlog.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** A backlog whose oldest message came when `came` says, in milliseconds from now on; undefined: there is none. */
async function watched(limitMs: number) {
  const brokers = { came: undefined as number | undefined, away: false, asked: 0 };
  const started = performance.now();
  const reader = {
    async waitsOver(ms: number) {
      brokers.asked++;
      if (brokers.away) throw new Error('away');
      return brokers.came !== undefined && performance.now() - started - brokers.came > ms;
    },
    async close() {},
  };
  const watch = watchBacklog(reader, limitMs, 'attribution: link.clicked', quiet);
  return { watch, brokers };
}

it('asks once a second while the group is in time, however often it is read', async () => {
  const { watch, brokers } = await watched(3_000);
  expect(watch.late()).toBe(true);
  await watch.start();
  expect([watch.late(), brokers.asked]).toEqual([false, 1]);
  for (let second = 1; second <= 10; second++) {
    for (let i = 0; i < 10_000; i++) watch.late();
    expect(brokers.asked).toBe(second);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await watch.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(brokers.asked).toBe(11);
});

it.each([0, 300, 700, 999])(
  'is late within a quarter of a second of the limit, for what came at %i ms',
  async (came) => {
    const { watch, brokers } = await watched(3_000);
    await watch.start();
    brokers.came = came;
    await vi.advanceTimersByTimeAsync(came + 3_000);
    expect(watch.late()).toBe(false);
    await vi.advanceTimersByTimeAsync(250);
    expect(watch.late()).toBe(true);
    expect(watch.trouble()).toBe('attribution: link.clicked: something has waited for over 3 s');
    brokers.came = undefined;
    await vi.advanceTimersByTimeAsync(250);
    expect([watch.late(), watch.trouble()]).toEqual([false, undefined]);
    await watch.stop();
  },
);

it('is late while nobody says how things are, after five seconds', async () => {
  const { watch, brokers } = await watched(3_000);
  await watch.start();
  brokers.away = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.late()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([watch.late(), watch.trouble()]).toEqual([
    true,
    'attribution: link.clicked: nobody says whether it is in time',
  ]);
  brokers.away = false;
  await vi.advanceTimersByTimeAsync(250);
  expect(watch.late()).toBe(false);
  await watch.stop();
});

it('is late in a process that was frozen, until it has looked', async () => {
  const { watch } = await watched(3_000);
  await watch.start();
  // The clock went on, and no timer of the process ran.
  const frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  expect(watch.late()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.late()).toBe(false);
  frozen.mockRestore();
  await watch.stop();
});
