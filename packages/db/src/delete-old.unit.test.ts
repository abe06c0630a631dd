import { describe, expect, it } from 'vitest';
import { deleteInChunks } from './delete-old.ts';

describe('deleteInChunks', () => {
  it.each([
    ['all that there is', 2_500, 10_000, [1_000, 1_000, 1_000]],
    ['no more than it may', 2_500, 1_200, [1_000, 200]],
    ['nothing where it may not', 2_500, 0, []],
  ])('deletes %s', async (_, there, maxRows, asked) => {
    let left = there;
    const sizes: number[] = [];
    const deleted = await deleteInChunks(maxRows, async (size) => {
      sizes.push(size);
      const gone = Math.min(size, left);
      left -= gone;
      return gone;
    });
    expect(sizes).toEqual(asked);
    expect(deleted).toBe(there - left);
  });
});
