import { Busy, NoAnswer } from '@landfall/bus';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lateSender } from './late-sender.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Returns a sender whose bus fails with these errors, one for each attempt, and then accepts everything. */
function sending(...failures: Error[]) {
  const tries: string[] = [];
  const [late, lost, left]: [string[], [string, string | undefined][], number[]] = [[], [], []];
  const sender = lateSender<string>({
    async send(item) {
      tries.push(item);
      const failure = failures.shift();
      if (failure) throw failure;
    },
    late: (item) => late.push(item),
    lost: (item, error) => lost.push([item, error?.message]),
    left: (count) => left.push(count),
  });
  return { sender, tries, late, lost, left };
}

it('sends at once if the bus accepts', async () => {
  const { sender, tries, late } = sending();
  await sender.send('a');
  expect([tries, late, sender.waiting()]).toEqual([['a'], [], 0]);
});

it('retries every second after a failure or an unknown result', async () => {
  const { sender, tries, late } = sending(new Busy('away'), new NoAnswer('silent'));
  await sender.send('a');
  expect(sender.waiting()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([tries.length, sender.waiting()]).toEqual([2, 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([tries.length, late, sender.waiting()]).toEqual([3, ['a'], 0]);
});

it('gives up after other errors, and when too many wait', async () => {
  const { sender, lost } = sending(new Error('nonsense'), ...Array.from({ length: 10_001 }, () => new Busy('away')));
  await sender.send('a');
  for (let i = 0; i < 10_001; i++) await sender.send(`b${i}`);
  expect(lost).toEqual([
    ['a', 'nonsense'],
    ['b10000', undefined],
  ]);
});

it('retries once when it stops, and says how many are left', async () => {
  const { sender, tries, left } = sending(new Busy('away'), new Busy('away'));
  await sender.send('a');
  await sender.stop();
  expect(left).toEqual([1]);
  await sender.stop();
  expect(left).toEqual([1]);
  expect(tries).toHaveLength(3);
});
