import { uuid } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { randomOf } from './random.ts';

const MANY = 20_000;
const many = <T>(value: () => T): T[] => Array.from({ length: MANY }, value);

test('a seed gives the same values again, and another seed gives others', () => {
  const values = (seed: string) => {
    const random = randomOf(seed);
    return [random.next(), random.below(1_000_000), random.uuid(), random.hash(), random.skewed(1, 1)];
  };
  expect(values('a')).toEqual(values('a'));
  expect(values('a').filter((value) => values('b').includes(value))).toEqual([]);
});

test('ids are random UUIDs, and hashes are 32 bytes', () => {
  const random = randomOf('ids');
  const ids = many(() => random.uuid());
  expect(new Set(ids).size).toBe(MANY);
  for (const id of ids.slice(0, 200)) expect(uuid().parse(id)).toMatch(/^.{14}4.{4}[89ab]/);
  // Every place takes every value that it may take.
  const places = Array.from({ length: 36 }, (_, place) => new Set(ids.map((id) => id[place])).size);
  expect(places.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 4, ...new Array(30).fill(16)]);
  const hashes = many(() => random.hash());
  expect(new Set(hashes).size).toBe(MANY);
  for (const hash of hashes.slice(0, 200)) expect(Buffer.from(hash, 'base64url').toString('base64url')).toBe(hash);
});
