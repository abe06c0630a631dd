import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withConfiguration } from './docs.ts';

it("the README's table of configuration is what the code says (else: npm run docs)", () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8');
  expect(readme).toBe(withConfiguration(readme));
});
