import { describe, expect, it } from 'vitest';
import { languageOf, referrerOf, utmNamesOfLink, utmOf, viaOf } from './tap-facts.ts';

describe('viaOf', () => {
  it.each([
    ['', 'link'],
    ['qr', 'qr'],
    ['utm_source=a&qr=', 'qr'],
    ['lf_via=qr', 'qr'],
    ['lf_via=banner&a=1', 'banner'],
    // A parameter of the app.
    ['qr=7', 'link'],
    ['lf_via=door', 'link'],
  ] as const)('%j is %s', (query, via) => {
    expect(viaOf(query)).toBe(via);
  });
});

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

describe('utmOf', () => {
  const none = { source: null, medium: null, campaign: null, term: null, content: null };
  it.each([
    ['a=1', '/path?b=2', null],
    ['utm_source=mail', '/path', { ...none, source: 'mail' }],
    ['', '/path?utm_source=link&utm_campaign=may', { ...none, source: 'link', campaign: 'may' }],
    ['utm_source=tap', '/path?utm_source=link&utm_campaign=may', { ...none, source: 'tap', campaign: 'may' }],
    ['utm_source=', '/path?utm_source=link#utm_term=no', { ...none, source: 'link' }],
    ['utm_source=a%20b+c', '/', { ...none, source: 'a b c' }],
    ['utm_source=%00%20', '/', null],
    ['utm_sources=x&xutm_source=y', '/', null],
  ] as const)('%j with the destination %j', (query, destination, utm) => {
    expect(utmOf(query, { destination })).toEqual(utm);
  });
  it.each([
    ['', ['source', 'campaign']],
    ['utm_source=tap&utm_campaign=tap', []],
    ['utm_source=tap', ['campaign']],
    ['utm_source=link&utm_term=tap', ['source', 'campaign']],
  ] as const)('of %j knows what is of the link: %j', (query, names) => {
    const link = { destination: '/path?utm_source=link&utm_campaign=may' };
    expect(utmNamesOfLink(utmOf(query, link), link)).toEqual(names);
  });
  it('is bounded', () => {
    expect(utmOf(`utm_term=${'x'.repeat(1_000)}`, { destination: '/' })?.term).toHaveLength(200);
  });
});
