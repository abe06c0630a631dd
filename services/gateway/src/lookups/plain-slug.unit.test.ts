import { expect, it } from 'vitest';
import { plainSlug } from './plain-slug.ts';

const SLUG = '1763737445000-abcdefghijkl';

it.each([
  SLUG,
  '1763737445000%2Dabcdefghijkl',
  '%31763737445000-%61bcdefghijkl',
  '1763737445000-ABCdefghijkl',
  `${SLUG}.`,
  `${SLUG})`,
  `${SLUG}%22%3e`,
  `${SLUG}\u200b`,
  `%E2%80%8B${SLUG}%E2%80%8B`,
  `\u201c${SLUG}\u201d,`,
])('%j is the slug of a link', (given) => {
  expect(plainSlug(given)).toBe(SLUG);
});

it.each([
  '',
  'abc',
  `${SLUG}/x`,
  `${SLUG}-x`,
  `${SLUG}.qr.png`,
  `${SLUG} ${SLUG}`,
  '%zz',
  `${SLUG}%zz`,
  '١-a',
  'x'.repeat(500),
])('%j is none', (given) => {
  expect(plainSlug(given)).toBe(given);
});

it('is fast for hostile texts', () => {
  const startedAt = performance.now();
  for (const piece of ['.', '1', '1-', 'a', '%2E', '\u200b']) plainSlug(piece.repeat(300).slice(0, 300));
  expect(performance.now() - startedAt).toBeLessThan(500);
});
