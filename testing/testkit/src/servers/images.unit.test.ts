import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { images } from './images.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const ours = Object.values(images).sort();
const named = (text: string, before: string) =>
  [...text.matchAll(new RegExp(`${before}((?:postgres|redis|apache/kafka):[\\w.-]+)`, 'g'))].map(([, image]) => image);

it('are those that CONTRIBUTING.md names in its table of servers', () => {
  const lines = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8').split('\n');
  const table = lines.filter((line) => line.includes('`TEST_')).join('\n');
  expect(named(table, '`').sort()).toEqual(ours);
});

it('are those that the compose file runs', () => {
  const files = globSync('docker-compose*.yml', { cwd: root });
  const run = files.flatMap((file) => named(readFileSync(path.join(root, file), 'utf8'), 'image: '));
  expect(run.filter((image) => !(ours as (string | undefined)[]).includes(image))).toEqual([]);
});
