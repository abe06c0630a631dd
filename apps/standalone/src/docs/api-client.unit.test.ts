import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { apiClientText } from './api-client.ts';

it('packages/api-client/src/schema.ts is what the routes say (else: npm run docs)', async () => {
  const written = readFileSync(
    path.resolve(import.meta.dirname, '../../../../packages/api-client/src/schema.ts'),
    'utf8',
  );
  expect(written).toBe(await apiClientText());
});
