import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab\u{1f680}', 3, 'ab'],
  ['ab\u{1f680}', 4, 'ab\u{1f680}'],
  // A flag has two code points, a family five, and a letter may have its accent behind it.
  ['a\u{1f1e9}\u{1f1ea}', 3, 'a'],
  [`a${family}`, 8, 'a'],
  ['abe\u0301', 3, 'ab'],
  ['a\ud800b', 2, 'a\ufffd'],
  [`e${'\u0301'.repeat(500)}`, 100, `e${'\u0301'.repeat(99)}`],
  ['abc', 0, ''],
] as const)('%j at %i is %j', (text, max, expected) => {
  expect(cutText(text, max)).toBe(expected);
});

it('is well-formed, never longer, and a beginning of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, max) => {
      const cut = cutText(text, max);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.toWellFormed().startsWith(cut)).toBe(true);
    }),
  );
});
