import { expect, it } from 'vitest';
import { freePorts } from './free-ports.ts';

it('gives no port twice, also to those who ask before the first has taken it', async () => {
  // So many that two of them would be the same, were it left to chance: 29 times in 30.
  const all = [...(await freePorts(200)), ...(await freePorts(200))];
  expect(new Set(all).size).toBe(400);
});
