import { expect, it } from 'vitest';
import { isGuessable, plainSlug, slugsToFind } from './plain-slug.ts';

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

it.each([
  ['spring-sale', 'spring-sale'],
  ['Spring_Sale-', 'Spring_Sale-'],
  ['(spring-sale).', 'spring-sale'],
  ['%E2%80%8Bspring-sale%22', 'spring-sale'],
  ['spring-sale.qr.png', 'spring-sale.qr.png'],
  ['spring sale', 'spring sale'],
])('%j is the chosen slug %j', (given, slug) => {
  expect(plainSlug(given)).toBe(slug);
});

it.each([
  ['Sale', ['Sale', 'sale']],
  ['sale', ['sale']],
  [SLUG.toUpperCase(), [SLUG]],
  ['a/b', []],
  ['x'.repeat(101), []],
])('for %j these are looked up: %j', (given, slugs) => {
  expect(slugsToFind(given)).toEqual(slugs);
});

it('can be guessed when somebody may have chosen it', () => {
  for (const slug of ['sale', 'Sale!', '7q4w8z2', '12']) expect(isGuessable(slug), slug).toBe(true);
  for (const slug of [SLUG, `${SLUG}.`, '', 'x', 'favicon.png', 'a b']) expect(isGuessable(slug), slug).toBe(false);
});

it('is fast for hostile texts', () => {
  const startedAt = performance.now();
  for (const piece of ['.', '1', '1-', 'a', '%2E', '\u200b']) plainSlug(piece.repeat(300).slice(0, 300));
  expect(performance.now() - startedAt).toBeLessThan(500);
});
