import { readFileSync } from 'node:fs';
import path from 'node:path';
import { events, requests } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { generated } from './docs.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8');

it.each(generated)('%s is what the code says (else: npm run docs)', (file, make) => {
  expect(read(file)).toBe(make(read(file)));
});

it('messages.md shows every message, the fields of nested objects, and an example with all fields', () => {
  const page = read('docs/reference/messages.md');
  for (const { name, topic } of [...requests, ...events])
    for (const shown of [name, topic]) expect(page).toContain(`\`${shown}\``);
  const section = /^### link\.clicked$.*?^```$/ms.exec(page)![0];
  expect(section).toContain('| `utm` | object or null |');
  expect(section).toContain('| `utm.source` | string or null |');
  expect(section).toContain('| `labels` | object with strings as values |');
  expect(section).toContain('"utm": {');
});
