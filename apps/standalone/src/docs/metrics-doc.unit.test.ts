import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withMetrics } from './metrics-doc.ts';

it('the tables of docs/reference/metrics.md are what the code says (else: npm run docs)', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/reference/metrics.md'), 'utf8');
  expect(page).toBe(withMetrics(page));
});
