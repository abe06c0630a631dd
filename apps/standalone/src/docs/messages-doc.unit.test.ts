import { readFileSync } from 'node:fs';
import path from 'node:path';
import { events, requests } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { withMessages } from './messages-doc.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/reference/messages.md'), 'utf8');

it('docs/reference/messages.md is what the contracts say (else: npm run docs)', () => {
  expect(page).toBe(withMessages(page));
});

it('it has every message', () => {
  for (const { name, topic } of [...requests, ...events]) {
    expect(page).toContain(`\`${name}\``);
    expect(page).toContain(`\`${topic}\``);
  }
});
