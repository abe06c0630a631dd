import { expect, test } from 'vitest';
import { clicks } from '../sample.testing.ts';

test('have browsers that fit their device', () => {
  const systems = {
    ios: ['iOS'],
    android: ['Android'],
    desktop: ['Windows', 'macOS', 'Linux', 'Chrome OS'],
    unknown: [],
  };
  const wrong = clicks.filter(({ data }) => {
    const { platform, os, browser, inApp, inAppBrowser, deferred, via, target, language } = data;
    const isPhone = platform === 'ios' || platform === 'android';
    return !(
      (os === null ? platform === 'unknown' : (systems[platform] as string[]).includes(os)) &&
      inApp === (inAppBrowser !== null) &&
      deferred === isPhone &&
      (isPhone || (via === 'link' && !inApp && target !== 'store')) &&
      (!inApp || (target === 'page' && browser === (platform === 'ios' ? 'Safari' : 'Chrome'))) &&
      (browser !== 'Safari' || os === 'iOS' || os === 'macOS') &&
      (language === null) === (platform === 'unknown')
    );
  });
  expect(wrong).toEqual([]);
});
