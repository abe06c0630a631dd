import path from 'node:path';
import { expect, it } from 'vitest';
import { gzipSizeOf } from '../../client/src/size.testing.ts';

it('the package has at most 14 KB, with the core', async () => {
  const bytes = await gzipSizeOf(path.join(import.meta.dirname, 'index.ts'), ['react', 'react-native']);
  // With the core.
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThanOrEqual(14 * 1024);
});
