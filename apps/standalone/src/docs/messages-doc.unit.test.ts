import { readFileSync } from 'node:fs';
import path from 'node:path';
import { events, requests } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { withMessages } from './messages-doc.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/reference/messages.md'), 'utf8');

it('docs/reference/messages.md is what the contracts say (else: npm run docs)', () => {
  expect(page).toBe(withMessages(page));
});

it('it shows the fields of nested objects, the values of records, and an example with all fields', () => {
  const section = /^### link\.clicked$.*?^```$/ms.exec(page)![0];
  expect(section).toContain('| `utm` | object or null |');
  expect(section).toContain('| `utm.source` | string or null |');
  expect(section).toContain('| `labels` | object with strings as values |');
  expect(section).toContain('"utm": {');
});

it('it has every message', () => {
  for (const { name, topic } of [...requests, ...events]) {
    expect(page).toContain(`\`${name}\``);
    expect(page).toContain(`\`${topic}\``);
  }
});
