import { expect, it } from 'vitest';
import { languageTag, readLanguage } from './language.ts';

it.each([
  ['de', 'de'],
  ['DE-at', 'de-AT'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['de_AT', null],
  ['', null],
  ['d', null],
  ['und', null],
  ['und-Latn', null],
  ['posix', null],
  [`de-${'x'.repeat(8)}-${'y'.repeat(8)}-${'z'.repeat(8)}-${'w'.repeat(8)}`, null],
])('the tag %j is %j', (given, tag) => {
  expect(languageTag(given)).toBe(tag);
});

it.each([
  ['de_AT', 'de-AT'],
  ['de_AT.UTF-8', 'de-AT'],
  ['de_DE@euro', 'de-DE'],
  ['en-US', 'en-US'],
  ['zh-Hant_HK', 'zh-Hant-HK'],
  ['zh_TW_#Hant', 'zh-Hant-TW'],
  ['sr_RS_#Latn', 'sr-Latn-RS'],
  ['sr_RS@latin', 'sr-Latn-RS'],
  ['sr-latn-rs', 'sr-Latn-RS'],
  ['th_TH_TH_#u-nu-thai', 'th-TH'],
  ['iw_IL', 'he-IL'],
  ['es_419', 'es-419'],
  [' de ', 'de'],
  ['de_DE.UTF-8@euro', 'de-DE'],
  ['en-US@calendar=japanese', 'en-US'],
  ['C', null],
  ['POSIX', null],
  ['und', null],
  ['system', null],
  [`de-${'x'.repeat(5_000)}`, 'de'],
  ['', null],
  ['klingon, I think', null],
])('an app in %j has the language %j', (given, tag) => {
  expect(readLanguage(given)).toBe(tag);
});
