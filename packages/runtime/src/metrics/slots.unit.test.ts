import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('no more than so many run at once, in the order in which they came, also after one has failed', async () => {
  const slots = createSlots(2);
  const began: number[] = [];
  const ends: PromiseWithResolvers<void>[] = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, n) =>
    slots.run(() => {
      began.push(n);
      return promise;
    }),
  );
  await Promise.resolve();
  expect(began).toEqual([0, 1]);
  ends[1]!.reject(new Error('no'));
  await expect(runs[1]).rejects.toThrow('no');
  expect(began).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  ends[2]!.resolve();
  await Promise.all([runs[0], runs[2]]);
  expect(began).toEqual([0, 1, 2, 3, 4]);
  ends[3]!.resolve();
  ends[4]!.resolve();
  await Promise.all([runs[3], runs[4]]);
  await slots.run(async () => began.push(5));
  expect(began.at(-1)).toBe(5);
});
