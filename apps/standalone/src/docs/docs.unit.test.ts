import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withConfiguration, withSettings } from './docs.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8');

it.each([
  ['docs/reference/configuration.md', withConfiguration],
  ['docker-compose.yml', withSettings],
])('%s is what the code says (else: npm run docs)', (file, made) => {
  expect(read(file)).toBe(made(read(file)));
});
