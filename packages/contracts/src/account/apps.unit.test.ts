import { expect, test } from 'vitest';
import { domainName } from './apps.ts';

test('the record that verifies a domain has a name of at most 253 characters', () => {
  const longest = `${'a.'.repeat(120)}com`;
  expect(`_landfall.${longest}`).toHaveLength(253);
  expect(domainName().safeParse(longest).success).toBe(true);
  expect(domainName().safeParse(`a${longest}`).success).toBe(false);
});
