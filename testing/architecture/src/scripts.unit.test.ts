// The programs that package.json starts exist. A package that no package.json of the root names is not in its
// node_modules.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const started = Object.entries(scripts).flatMap(([name, script]) =>
  [...script.matchAll(/node scripts\/boot\.mjs (?:--\S+ )*(\S+)/g)].map(([, file]) => [name, file!] as const),
);

it('finds the programs', () => expect(started.length).toBeGreaterThan(10));

it.each(started)('npm run %s starts %s, which exists', (_, file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});
