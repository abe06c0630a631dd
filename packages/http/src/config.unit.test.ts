import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { isGuessable } from './config.ts';

it.each([
  'a secret of thirty-two characters',
  'changeme'.repeat(4),
  'ab'.repeat(20),
  'LandfallLandfallLandfallLandfall',
])('finds that %s can be guessed', (secret) => {
  expect(isGuessable(secret)).toBe(true);
});

it('accepts random secrets', () => {
  for (let n = 0; n < 200; n++) expect(isGuessable(randomBytes(32).toString('hex'))).toBe(false);
});
