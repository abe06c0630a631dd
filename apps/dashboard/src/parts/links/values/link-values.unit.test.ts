import { expect, it } from 'vitest';
import { nextName } from './link-values.ts';

it.each([
  ['Spring', 'Spring 2'],
  ['Spring 2', 'Spring 3'],
  ['Sale 2026', 'Sale 2026 2'],
  ['', ''],
  ['x'.repeat(100), `${'x'.repeat(98)} 2`],
])('a link like %s is called %s', (name, next) => {
  expect(nextName(name)).toBe(next);
});
