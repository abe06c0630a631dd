import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { releaseStartMemory } from './old-memory.ts';

it('returns the young memory that a start needed', () => {
  const young = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.physical_space_size;
  const alive: object[] = [];
  for (let i = 0; i < 300_000; i++) alive.push({ i });
  expect(young()).toBeGreaterThan(4_000_000);
  releaseStartMemory();
  expect(young()).toBeLessThan(2_000_000);
  expect(alive).toHaveLength(300_000);
});
