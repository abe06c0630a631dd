import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withConfiguration } from './docs.ts';

it('docs/reference/configuration.md is what the code says (else: npm run docs)', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/reference/configuration.md'), 'utf8');
  expect(page).toBe(withConfiguration(page));
});
