import { expect, test } from 'vitest';
import { cleanName, isDeceptive, nameText } from './texts.ts';

const name = nameText(200);

test.each([
  'Ada',
  "Renée O'Neill 3rd",
  '辻\u{e0100}さん',
  'علی‌رضا',
  'ශ්‍රී ලංකා',
  'क्‍ष',
  '👩‍👩‍👧‍👦 Family',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England',
  '❤️ Shop',
  '☺︎',
  'a\u00a0b\u3000c',
  'e\u0301',
])('%s is a name', (given) => {
  expect(name.parse(` ${given}\t`)).toBe(given);
  expect(cleanName(given)).toBe(given);
});

test.each<[string, string]>([
  ['', 'blank'],
  ['\u3000\u00a0', 'blank'],
  ['\u0301', 'blank'],
  ['\u200b', 'blank'],
  ['\u2800', 'invisible'],
  ['a\nb', 'line break'],
  ['a\u2028b', 'line break'],
  ['a\tb', 'invisible'],
  ['a\u200bb', 'invisible'],
  ['a\u200db', 'invisible'],
  ['\u200dعلی', 'invisible'],
  ['علی\u200c', 'invisible'],
  ['a\u034fb', 'invisible'],
  ['a\ufe0fb', 'invisible'],
  ['admin\u202egnp', 'direction'],
  ['\u061ca', 'direction'],
  ['a\u{e0041}', 'invisible'],
  ['a\ue000', 'invisible'],
  ['👩\u200d', 'invisible'],
])('%j is no name: %s', (given, says) => {
  expect(
    name
      .safeParse(given)
      .error?.issues.map(({ message }) => message)
      .join(),
  ).toContain(says);
  expect(cleanName(given)).toBe(cleanName(cleanName(given)));
});

test('a name of a provider is cleaned', () => {
  expect(cleanName(' Ada\u202e\r\nLovelace\u200b ')).toBe('Ada Lovelace');
});

test.each([
  ['a full-width letter', '\uff41da@example.com'],
  ['a Kelvin sign', 'mar\u212a@example.com'],
  ['a long s', 'ro\u017fe@example.com'],
  ['a dotless i, whose capital is I', 'm\u0131ra@example.com'],
  ['a dotted capital I', '\u0130da@example.com'],
  ['an ideographic full stop', 'ada@example\u3002com'],
  ['a zero-width space', 'a\u200bda@example.com'],
  ['an override of the direction', 'a\u202eda@example.com'],
  ['a variation selector', 'ada\ufe0f@example.com'],
  ['a Hangul filler', 'ada\u3164@example.com'],
  ['a no-break space', 'a\u00a0da@example.com'],
  ['a control character', 'a\u0007da@example.com'],
])('refuses an email with %s', (_, email) => {
  expect(isDeceptive(email)).toBe(true);
});

test.each(['ada@example.com', "Ada.O'Hara+x_y@Example.co.uk", 'zürich@bücher.example', '花子@例え.jp'])(
  'accepts the email %s',
  (email) => {
    expect(isDeceptive(email)).toBe(false);
  },
);
