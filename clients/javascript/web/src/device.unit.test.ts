import { describe, expect, it } from 'vitest';
import { isInApp, isMobileSafari, platformOf } from './device.ts';

const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 8';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const browsers = {
  safari: [`${IOS} Version/26.0 Mobile/15E148 Safari/604.1`, 5],
  ipad: [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    5,
  ],
  mac: [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    0,
  ],
  chromeOnIphone: [`${IOS} CriOS/141.0.7390.96 Mobile/15E148 Safari/604.1`, 5],
  edgeOnIphone: [`${IOS} Version/18.0 EdgiOS/141.0.3537.60 Mobile/15E148 Safari/604.1`, 5],
  duckDuckGoOnIphone: [`${IOS} Version/18.6 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`, 5],
  instagramOnIphone: [`${IOS} Mobile/15E148 Instagram 401.0.0.30.89 (iPhone14,7; iOS 18_6)`, 5],
  unnamedOnIphone: [`${IOS} Mobile/15E148`, 5],
  googleOnIphone: [`${IOS} GSA/389.0.812345678 Mobile/15E148 Safari/604.1`, 5],
  chromeOnAndroid: [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/141.0.0.0 Mobile Safari/537.36`, 5],
  samsung: [
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    5,
  ],
  facebookOnAndroid: [
    `${ANDROID} Build/BP1A; wv) ${CHROME} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/532.0.0;]`,
    5,
  ],
  unnamedOnAndroid: [`${ANDROID} Build/BP1A; wv) ${CHROME} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`, 5],
  windows: [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/141.0.0.0 Safari/537.36`, 10],
} as const;
type Name = keyof typeof browsers;
const browser = (name: Name) => ({ userAgent: browsers[name][0], maxTouchPoints: browsers[name][1] });
const names = Object.keys(browsers) as Name[];
const those = (is: (name: Name) => boolean) => names.filter(is);

describe('a browser', () => {
  it('is on a phone or tablet, or on a computer', () => {
    expect(those((name) => platformOf(browser(name)) === 'desktop')).toEqual(['mac', 'windows']);
    expect(those((name) => platformOf(browser(name)) === 'android')).toEqual([
      'chromeOnAndroid',
      'samsung',
      'facebookOnAndroid',
      'unnamedOnAndroid',
    ]);
  });

  it('is inside another app, or chosen by its person', () => {
    expect(those((name) => isInApp(browser(name)))).toEqual([
      'instagramOnIphone',
      'unnamedOnIphone',
      'googleOnIphone',
      'facebookOnAndroid',
      'unnamedOnAndroid',
    ]);
  });

  it('shows Apple’s banner, or does not', () => {
    expect(those((name) => isMobileSafari(browser(name)))).toEqual(['safari', 'ipad']);
  });
});
