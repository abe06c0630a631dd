import fc from 'fast-check';
import { Partitioners } from 'kafkajs';
import { expect, test } from 'vitest';
import { partitionOf } from './names.ts';

test('agrees with the partitioner of Kafka', () => {
  const theirs = Partitioners.DefaultPartitioner();
  const partitions = (count: number) =>
    Array.from({ length: count }, (_, partitionId) => ({
      partitionId,
      leader: 1,
      isr: [],
      replicas: [],
      partitionErrorCode: 0,
    }));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 64 }), (key, count) => {
      const expected = theirs({ topic: 't', partitionMetadata: partitions(count), message: { key, value: '' } });
      expect(partitionOf(key, count)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});
