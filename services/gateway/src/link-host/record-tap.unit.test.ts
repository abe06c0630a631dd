import { describe, expect, it } from 'vitest';
import { languageOf, referrerOf } from './record-tap.ts';

describe('languageOf', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['EN', 'en'],
    ['  fil-PH', 'fil'],
    ['zh-Hant-TW', 'zh'],
    // Old codes, which some phones send, and long ones.
    ['iw-IL', 'he'],
    ['in', 'id'],
    ['deu', 'de'],
    ['*', null],
    ['', null],
    ['../../etc', null],
    ['english', null],
  ] as const)('%j is %s', (accepted, language) => {
    expect(languageOf({ 'accept-language': accepted })).toBe(language);
  });
  it('is unknown without the header', () => expect(languageOf({})).toBeNull());
});

describe('referrerOf', () => {
  const own = ['shop.go.example', 'open-shop.go.example:8080'];
  it.each([
    ['https://www.Instagram.com/p/1?secret=2', 'instagram.com'],
    ['https://www.instagram.com./', 'instagram.com'],
    ['https://www.example/', 'www.example'],
    ['https://wwwx.news.example', 'wwwx.news.example'],
    ['https://news.example:8443/', 'news.example'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['https://shop.go.example/abc', null],
    ['http://open-shop.go.example:8080/abc', null],
    ['no url', null],
    ['data:text/html,x', null],
    ['', null],
    [`https://${'a.'.repeat(200)}example/`, null],
  ] as const)('%j is %s', (referer, host) => {
    expect(referrerOf({ referer }, own)).toBe(host);
  });
});
