import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVectors, replay } from './vectors.testing.ts';

const vectors = readVectors(path.join(import.meta.dirname, '../../../vectors'));

describe('the vectors', () => {
  it('are many', () => {
    expect(vectors.length).toBeGreaterThan(40);
  });

  it.each(vectors)('%s', (_, vector) => replay(vector));
});
