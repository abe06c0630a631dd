import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortKeys } from './sort-keys.ts';

it('leaves nothing of the order of keys, and all else', () => {
  expect(JSON.stringify(sortKeys({ b: [{ y: 1, x: null }, 2], a: 'z' }))).toBe('{"a":"z","b":[{"x":null,"y":1},2]}');
  expect(JSON.stringify(sortKeys({ b: 1, ['__proto__']: 2 }))).toBe('{"__proto__":2,"b":1}');
});

const reversed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  );
};

it('is the same for equal values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sortKeys(value)).toEqual(value);
      expect(JSON.stringify(sortKeys(reversed(value)))).toBe(JSON.stringify(sortKeys(value)));
    }),
  );
});
