import { expect, test } from 'vitest';
import { nearest, readLanguage } from './language.ts';

const shown = (device: string, texts: string[]): string | undefined =>
  nearest(
    texts.map((tag) => readLanguage(tag)!),
    readLanguage(device)!,
  )[0];

test.each<[device: string, texts: string[], shown: string | undefined]>([
  ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['zh-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
  ['zh-TW', ['zh-CN', 'zh-HK'], 'zh-HK'],
  ['zh-TW', ['zh-Hant', 'zh-Hant-TW'], 'zh-Hant-TW'],
  ['zh-TW', ['zh-CN'], undefined],
  ['zh-TW', ['zh'], 'zh'],
  ['zh-HK', ['zh-TW', 'zh-Hans'], 'zh-TW'],
  ['zh-MO', ['zh-TW', 'zh-HK'], 'zh-HK'],
  ['zh-CN', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
  ['zh-SG', ['zh-Hant', 'zh'], 'zh'],
  ['zh', ['zh-Hant', 'zh-CN'], 'zh-CN'],
  ['sr-Latn-RS', ['sr', 'sr-Latn'], 'sr-Latn'],
  ['sr-Latn-RS', ['sr'], 'sr'],
  ['sr-ME', ['sr-Cyrl', 'sr-Latn'], 'sr-Latn'],
  ['no', ['nb'], 'nb'],
  ['nb-NO', ['nn', 'no'], 'no'],
  ['nn-NO', ['nb', 'da'], 'nb'],
  ['nn', ['nb', 'nn-NO'], 'nn-NO'],
  ['es-MX', ['es', 'es-419'], 'es-419'],
  ['es-MX', ['es-ES', 'es-AR'], 'es-ES'],
  ['es-ES', ['es-419', 'es'], 'es'],
  ['es', ['es-419', 'es-ES'], 'es-ES'],
  ['pt', ['pt-BR', 'pt-PT'], 'pt-BR'],
  ['pt-AO', ['pt-BR', 'pt-PT'], 'pt-PT'],
  ['pt-PT', ['pt-BR'], 'pt-BR'],
  ['en-AU', ['en-US', 'en-001'], 'en-001'],
  ['en-GB', ['en-US', 'fr'], 'en-US'],
  ['de-AT-1901', ['de', 'de-AT'], 'de-AT'],
  ['de-CH', ['de-AT', 'de'], 'de'],
  ['de-u-co-phonebk', ['de'], 'de'],
  ['uz-AF', ['uz', 'uz-Cyrl'], 'uz'],
  ['fi', ['sv', 'en'], undefined],
])('a device in %s is shown, of %j, %s', (device, texts, best) => {
  expect(shown(device, texts)).toBe(best);
  expect(shown(device, texts.toReversed())).toBe(best);
});
