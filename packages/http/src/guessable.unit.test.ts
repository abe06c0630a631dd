import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { isGuessable } from './guessable.ts';
import { hashes } from './hashes.ts';

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

it('tells whether two secrets are equal, and nothing else', () => {
  const [one, same, other] = ['a'.repeat(32), 'a'.repeat(32), 'b'.repeat(32)].map((secret) => hashes(secret).check());
  expect(one).toBe(same);
  expect(one).not.toBe(other);
  expect(one).toMatch(/^[0-9a-f]{8}$/);
});
