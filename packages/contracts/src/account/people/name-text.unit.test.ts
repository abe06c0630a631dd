import { expect, test } from 'vitest';
import { cleanName, nameText } from './name-text.ts';

const name = nameText(200);

test.each([
  'Ada',
  'Åsa Öberg-Nilsson',
  "Renée O'Neill 3rd",
  '李小龍',
  '辻\u{e0100}さん',
  'علی‌رضا',
  'می‌خواهم',
  'ශ්‍රී ලංකා',
  'क्‍ष',
  'שלום',
  'مرحبا',
  '👩‍👩‍👧‍👦 Family',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England',
  '❤️ Shop',
  '☺︎',
  '1️⃣ One',
  '👍🏽',
  'a\u00a0b\u3000c',
  'e\u0301',
  'C#',
  '名',
])('%s is a name', (given) => {
  expect(name.parse(` ${given}\t`)).toBe(given);
  expect(cleanName(given)).toBe(given);
});

test.each<[string, string]>([
  ['', 'blank'],
  [' ', 'blank'],
  ['\u3000\u00a0', 'blank'],
  ['\u0301', 'blank'],
  ['\u200b', 'blank'],
  ['\u2800', 'invisible'],
  ['\u3164', 'invisible'],
  ['a\nb', 'line break'],
  ['a\r\nb', 'line break'],
  ['a\u2028b', 'line break'],
  ['a\u0085b', 'line break'],
  ['a\tb', 'invisible'],
  ['a\u200bb', 'invisible'],
  ['a\u200cb', 'invisible'],
  ['a\u200db', 'invisible'],
  ['\u200dعلی', 'invisible'],
  ['علی\u200c', 'invisible'],
  ['a\u2060b', 'invisible'],
  ['a\ufeffb', 'invisible'],
  ['a\u00adb', 'invisible'],
  ['a\u034fb', 'invisible'],
  ['a\u115fb', 'invisible'],
  ['a\ufe0fb', 'invisible'],
  ['admin\u202egnp', 'direction'],
  ['a\u2066b\u2069', 'direction'],
  ['\u200fa', 'direction'],
  ['\u061ca', 'direction'],
  ['a\u{e0041}', 'invisible'],
  ['a\ue000', 'invisible'],
  ['a\u001bb', 'invisible'],
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
