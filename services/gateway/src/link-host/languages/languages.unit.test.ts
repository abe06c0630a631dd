import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { LANGUAGES, languageFor } from './languages.ts';

/** All texts by their names. */
function textsOf(texts: object, before = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === 'string' ? [[before + name, value] as const] : [...textsOf(value, `${before}${name}.`)],
    ),
  );
}

const holesOf = (text: string) => [...text.matchAll(/\{\w*\}/g)].map(([hole]) => hole).sort();

describe('languageFor', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl-NL,nl;q=0.9,fr;q=0.8,en;q=0.7', 'fr'],
    ['en;q=0.2, ja;q=0.9', 'ja'],
    ['zh-Hans-CN', 'zh'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8', 'zh-Hant'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['in-ID,en-US;q=0.8', 'id'],
    ['DE', 'de'],
    // Nothing that we have, and nothing that is a header.
    ['*', 'en'],
    ['fr;q=0', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['\u0000;;,,=', 'en'],
    [`${'x,'.repeat(5_000)}de`, 'en'],
  ])('%j is %s', (accepted, tag) => {
    expect(languageFor(accepted).tag).toBe(tag);
  });
});

describe('the languages', () => {
  it('are fifteen, one of them from right to left, and Chinese in both scripts', () => {
    expect(new Set(LANGUAGES.map(({ tag }) => tag.split('-')[0])).size).toBe(15);
    expect(LANGUAGES.filter(({ direction }) => direction === 'rtl').map(({ tag }) => tag)).toEqual(['ar']);
    for (const { tag } of LANGUAGES) expect(languageFor(tag).tag).toBe(tag);
  });

  it.each(LANGUAGES.map(({ tag, texts }) => [tag, texts] as const))('%s has every text', (tag, texts) => {
    const own = textsOf(texts);
    const english = textsOf(en);
    for (const [name, text] of own) {
      expect({ name, holes: holesOf(text) }).toEqual({ name, holes: holesOf(english.get(name)!) });
      expect(text.trim()).toBe(text);
      expect(text).not.toMatch(/["<>&]|\.\.\./);
    }
    // A text that was copied and not translated.
    const copied = [...own].filter(([name, text]) => tag !== 'en' && text === english.get(name));
    expect(copied).toEqual([]);
  });
});
