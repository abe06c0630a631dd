import { describe, expect, it } from 'vitest';
import { IN_APP } from '../../visitor/visitor-patterns.ts';
import { EXITS, exitOf, isOfExit, leftBy, outParameter, reportedIn } from './exits.ts';

const LINK = 'https://shop.go.example/abc?a=1&b=%20';
const out = (id: string) => `${LINK}&lf_out=${id}`;
const encoded = (id: string) => encodeURIComponent(out(id));

describe('the way out of an app', () => {
  it.each<[app: string, platform: 'ios' | 'android', url?: string]>([
    ['Instagram', 'ios', `instagram://extbrowser/?url=${encoded('instagram-extbrowser')}`],
    ['Instagram', 'android', `instagram://extbrowser/?url=${encoded('instagram-extbrowser')}`],
    ['LINE', 'ios', `${out('line-parameter')}&openExternalBrowser=1`],
    ['KakaoTalk', 'android', `kakaotalk://web/openExternal?url=${encoded('kakaotalk-open-external')}`],
    [
      'Telegram',
      'android',
      `intent://${out('android-intent').slice(8)}#Intent;scheme=https;S.browser_fallback_url=${encoded('android-intent')};end`,
    ],
    ['Facebook', 'ios', `x-safari-${out('ios-safari')}`],
    ['WebView', 'ios', `x-safari-${out('ios-safari')}`],
    ['Facebook', 'android'],
    ['Messenger', 'android'],
    ['Threads', 'android'],
    ['WebView', 'android'],
    ['WeChat', 'ios'],
    ['WeChat', 'android'],
  ])('%s on %s: %s', (app, platform, url) => {
    const exit = exitOf(app, platform, LINK);
    expect(exit?.url).toBe(url);
    if (exit) expect(URL.canParse(exit.url)).toBe(true);
  });

  it('is reported to the link, on the host of the page', () => {
    expect(exitOf('LINE', 'ios', LINK)?.reportPath).toBe('/abc?lf_exit=line-parameter');
  });

  it('is http where the link is', () => {
    expect(exitOf('Slack', 'ios', 'http://shop.localhost:8080/x')?.url).toBe(
      'x-safari-http://shop.localhost:8080/x?lf_out=ios-safari',
    );
  });
});

describe('the table', () => {
  it('names apps that we know', () => {
    const known = new Set([...IN_APP.map(([name]) => name), 'WebView']);
    for (const app of EXITS.flatMap(({ apps }) => (apps === 'others' ? [] : apps))) expect(known).toContain(app);
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
