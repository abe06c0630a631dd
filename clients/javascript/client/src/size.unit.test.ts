import path from 'node:path';
import { expect, it } from 'vitest';
import { gzipSizeOf } from './size.testing.ts';

it('the core has at most 8 KB', async () => {
  const bytes = await gzipSizeOf(path.join(import.meta.dirname, 'index.ts'));
  // An empty bundle would be small, too.
  expect(bytes).toBeGreaterThan(3_000);
  expect(bytes).toBeLessThanOrEqual(8 * 1024);
});
