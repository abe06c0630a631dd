import path from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { readVectors, replay } from '../../client/src/vectors.testing.ts';
import { configureWith } from './configure.ts';
import { OTHERS, stageOf } from './phone.testing.ts';

const vectors = readVectors(path.join(import.meta.dirname, '../../../vectors')).filter(
  ([name]) => !OTHERS.includes(name),
);

describe('the vectors, by the modules of React Native', () => {
  const { fetch, setTimeout, clearTimeout } = globalThis;
  const { now } = Date;
  afterAll(() => {
    Object.assign(globalThis, { fetch, setTimeout, clearTimeout });
    Date.now = now;
  });
  const stage = stageOf(configureWith);

  it.each(vectors)('%s', (_, vector) => replay(vector, stage));
});
