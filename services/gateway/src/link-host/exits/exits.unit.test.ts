import { describe, expect, it } from 'vitest';
import { IN_APP } from '../../visitor/visitor-patterns.ts';
import { EXITS } from './exit-table.ts';
import { exitOf, isOfExit, leftBy, outParameter, reportedIn, reportPathOf } from './exits.ts';

const LINK = 'https://shop.go.example/abc?a=1&b=%20';
const OUT = (id: string) => `https://shop.go.example/abc?a=1&b=%20&lf_out=${id}`;

describe('the way out of an app', () => {
  it.each<[app: string, platform: 'ios' | 'android', id: string | null, url?: string]>([
    [
      'Instagram',
      'ios',
      'instagram-extbrowser',
      `instagram://extbrowser/?url=${encodeURIComponent(OUT('instagram-extbrowser'))}`,
    ],
    [
      'Instagram',
      'android',
      'instagram-extbrowser',
      `instagram://extbrowser/?url=${encodeURIComponent(OUT('instagram-extbrowser'))}`,
    ],
    ['LINE', 'ios', 'line-parameter', `${OUT('line-parameter')}&openExternalBrowser=1`],
    [
      'KakaoTalk',
      'android',
      'kakaotalk-open-external',
      `kakaotalk://web/openExternal?url=${encodeURIComponent(OUT('kakaotalk-open-external'))}`,
    ],
    [
      'Telegram',
      'android',
      'android-intent',
      `intent://${OUT('android-intent').slice(8)}#Intent;scheme=https;S.browser_fallback_url=${encodeURIComponent(OUT('android-intent'))};end`,
    ],
    ['Facebook', 'ios', 'ios-safari', `x-safari-${OUT('ios-safari')}`],
    ['WebView', 'ios', 'ios-safari', `x-safari-${OUT('ios-safari')}`],
    ['Facebook', 'android', null],
    ['Messenger', 'android', null],
    ['Threads', 'android', null],
    ['WebView', 'android', null],
    ['WeChat', 'ios', null],
    ['WeChat', 'android', null],
  ])('%s on %s: %s', (app, platform, id, url) => {
    const exit = exitOf(app, platform, LINK);
    expect(exit?.id ?? null).toBe(id);
    expect(exit?.url).toBe(url);
    if (exit) expect(URL.canParse(exit.url)).toBe(true);
  });

  it('is reported to the link, on the host of the page', () => {
    expect(reportPathOf(exitOf('LINE', 'ios', LINK)!, LINK)).toBe('/abc?lf_exit=line-parameter');
  });

  it('is http where the link is', () => {
    expect(exitOf('Slack', 'ios', 'http://shop.localhost:8080/x')?.url).toBe(
      'x-safari-http://shop.localhost:8080/x?lf_out=ios-safari',
    );
  });
});

describe('the table', () => {
  it('names apps that we know, each with its source', () => {
    const known = new Set([...IN_APP.map(([name]) => name), 'WebView']);
    for (const { apps, source, testedOn } of EXITS) {
      for (const app of apps === 'others' ? [] : apps) expect(known).toContain(app);
      expect(source).toMatch(/^https:/);
      if (testedOn !== null) expect(new Date(testedOn).toISOString()).toContain(testedOn);
    }
    expect(new Set(EXITS.map(({ id }) => id)).size).toBe(EXITS.length);
  });
});

describe('the parameters of exits', () => {
  it('are read, and are none of the link', () => {
    expect(leftBy('?a=1&lf_out=ios-safari')?.id).toBe('ios-safari');
    expect(reportedIn('lf_exit=line-parameter')?.id).toBe('line-parameter');
    expect(outParameter('a=1&lf_out=ios-safari&b')).toBe('lf_out=ios-safari');
    for (const query of ['', 'lf_out', 'lf_out=', 'lf_out=no-such', 'lf_out=__proto__', 'xlf_out=ios-safari&lf_out=x'])
      expect([leftBy(query), outParameter(query)]).toEqual([null, '']);
    for (const part of ['lf_out=ios-safari', 'lf_exit=x', 'openExternalBrowser=1']) expect(isOfExit(part)).toBe(true);
    for (const part of ['lf_outer=1', 'openExternalBrowser=0', 'a=lf_out=1']) expect(isOfExit(part)).toBe(false);
  });
});
