import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchBacklog } from './backlog.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/**
 * Watches a backlog whose oldest message arrives at `came`, in milliseconds from now; undefined: the backlog is empty.
 */
async function watched(limitMs: number, log: Parameters<typeof watchBacklog>[3] = quiet) {
  let held: PromiseWithResolvers<void> | undefined;
  const brokers = {
    came: undefined as number | undefined,
    away: false,
    asked: 0,
    /** Holds all answers back until `answer`. Returns a function that tells whether a request came since. */
    hold() {
      held = Promise.withResolvers<void>();
      const before = brokers.asked;
      return () => brokers.asked > before;
    },
    answer: () => held?.resolve(),
  };
  const started = performance.now();
  const reader = {
    async waitsOver(ms: number) {
      brokers.asked++;
      await held?.promise;
      if (brokers.away) throw new Error('away');
      return brokers.came !== undefined && performance.now() - started - brokers.came > ms;
    },
    async close() {},
  };
  const watch = watchBacklog(reader, limitMs, 'attribution: link.clicked', log);
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

it('logs once that the group is late, and once that it has caught up', async () => {
  const said: string[] = [];
  const warn = (_fields: object, line: string) => said.push(`warn: ${line}`);
  const info = (_fields: object, line: string) => said.push(`info: ${line}`);
  const { watch, brokers } = await watched(3_000, { ...quiet, warn, info });
  await watch.start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said).toEqual([]);
  brokers.came = 2_000;
  await vi.advanceTimersByTimeAsync(5_000);
  const late = expect.stringMatching(/^warn: the lag of a consumer group is too high/);
  expect(said).toEqual([late]);
  brokers.came = undefined;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said).toEqual([late, 'info: a consumer group has caught up']);
  await watch.stop();
});

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

it.each([2_100, 4_000, 60_000])('is late in a process that was frozen for %i ms, until it has looked', async (ms) => {
  const { watch, brokers } = await watched(3_000);
  await watch.start();
  // Simulates a frozen process: time goes on, and no timer of the process runs.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  expect(watch.late()).toBe(true);
  const asked = brokers.hold();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked(), watch.late()]).toEqual([true, true]);
  brokers.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(watch.late()).toBe(false);
  vi.mocked(performance.now).mockRestore();
  await watch.stop();
});

it('takes an answer that was frozen on its way for none', async () => {
  const { watch, brokers } = await watched(3_000);
  brokers.hold();
  const looked = watch.start();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_000);
  brokers.answer();
  await looked;
  expect(watch.late()).toBe(true);
  await vi.advanceTimersByTimeAsync(250);
  expect(watch.late()).toBe(false);
  vi.mocked(performance.now).mockRestore();
  await watch.stop();
});
