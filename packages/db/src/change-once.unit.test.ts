import { expect, it } from 'vitest';
import { changeOnce } from './change-once.ts';

function kept() {
  const results: unknown[] = [];
  return {
    results,
    find: async () => results[0] ?? null,
    keep: ({ done }: { done: unknown }) => void results.push(done),
  };
}

it('makes a change once, and gives each delivery the result of the first', async () => {
  const results = kept();
  expect(await changeOnce(results, async () => ({ done: { slug: 'a' }, subject: 's' }))).toEqual({
    done: { slug: 'a' },
  });
  expect(await changeOnce(results, async () => ({ done: { slug: 'b' } }))).toEqual({ done: { slug: 'a' } });
  expect(results.results).toEqual([{ slug: 'a' }]);
});

it('keeps no refusal', async () => {
  const results = kept();
  const refusal = { code: 'NO', facts: {} };
  expect(await changeOnce(results, async () => ({ refusal }))).toEqual({ refusal });
  expect(await changeOnce(results, async () => ({ done: 1 }))).toEqual({ done: 1 });
});
