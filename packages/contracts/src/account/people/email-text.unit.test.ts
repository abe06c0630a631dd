import { expect, test } from 'vitest';
import { isDeceptive } from './email-text.ts';

test.each([
  ['a full-width letter', '\uff41da@example.com'],
  ['a full-width at sign', 'ada@b\uff20example.com'],
  ['a Kelvin sign', 'mar\u212a@example.com'],
  ['a long s', 'ro\u017fe@example.com'],
  ['a dotless i, whose capital is I', 'm\u0131ra@example.com'],
  ['a dotted capital I', '\u0130da@example.com'],
  ['a ligature', '\ufb01ona@example.com'],
  ['a mathematical letter', '\u{1d41a}da@example.com'],
  ['a circled letter', '\u24d0da@example.com'],
  ['an ideographic full stop', 'ada@example\u3002com'],
  ['a full-width full stop', 'ada@example\uff0ecom'],
  ['a zero-width space', 'a\u200bda@example.com'],
  ['a zero-width joiner', 'a\u200dda@example.com'],
  ['a soft hyphen', 'a\u00adda@example.com'],
  ['an override of the direction', 'a\u202eda@example.com'],
  ['an isolate of the direction', 'a\u2066da@example.com'],
  ['a byte order mark', '\ufeffada@example.com'],
  ['a variation selector', 'ada\ufe0f@example.com'],
  ['a Hangul filler', 'ada\u3164@example.com'],
  ['a tag', 'ada\u{e0041}@example.com'],
  ['a no-break space', 'a\u00a0da@example.com'],
  ['a control character', 'a\u0007da@example.com'],
])('refuses an email with %s', (_, email) => {
  expect(isDeceptive(email)).toBe(true);
});

test.each([
  'ada@example.com',
  "Ada.O'Hara+x_y@Example.co.uk",
  'zürich@bücher.example',
  'анна@пример.рф',
  '花子@例え.jp',
  'josé@example.com',
])('accepts the email %s', (email) => {
  expect(isDeceptive(email)).toBe(false);
});
