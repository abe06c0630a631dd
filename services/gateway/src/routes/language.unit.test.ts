import { expect, it } from 'vitest';
import { languageTag, readLanguage } from './language.ts';

it.each([
  ['de', 'de'],
  ['DE-at', 'de-AT'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['de_AT', null],
  ['', null],
  ['d', null],
  [`de-${'x'.repeat(8)}-${'y'.repeat(8)}-${'z'.repeat(8)}-${'w'.repeat(8)}`, null],
])('the tag %j is %j', (given, tag) => {
  expect(languageTag(given)).toBe(tag);
});

it.each([
  ['de_AT', 'de-AT'],
  ['de_AT.UTF-8', 'de-AT'],
  ['de_DE@euro', 'de-DE'],
  ['en-US', 'en-US'],
  ['C', null],
  ['', null],
  ['klingon, I think', null],
])('an app in %j has the language %j', (given, tag) => {
  expect(readLanguage(given)).toBe(tag);
});
