import { expect, it } from 'vitest';
import { likeTap } from './like-tap.ts';

const devices = [
  'iphone-safari',
  'iphone-chrome',
  'ios-instagram',
  'ios-web-view',
  'android-chrome',
  'android-samsung',
];
const all = [...devices, 'android-web-view', 'windows-chrome'].map((id) => ({ id }));

it.each([
  ['iphone-safari', { platform: 'ios', browser: 'Safari', inAppBrowser: null }],
  ['iphone-chrome', { platform: 'ios', browser: 'Chrome', inAppBrowser: null }],
  ['ios-instagram', { platform: 'ios', browser: 'Safari', inAppBrowser: 'Instagram' }],
  ['android-web-view', { platform: 'android', browser: 'Chrome', inAppBrowser: 'Zalo' }],
  ['android-samsung', { platform: 'android', browser: 'Samsung Internet', inAppBrowser: null }],
  ['android-chrome', { platform: 'android', browser: null, inAppBrowser: null }],
  ['windows-chrome', { platform: 'desktop', browser: 'Vivaldi', inAppBrowser: null }],
  [undefined, { platform: null, browser: 'Chrome', inAppBrowser: null }],
])('chooses %s', (id, tap) => {
  expect(likeTap(tap, all)).toBe(id);
});

it('chooses none that the API does not have', () => {
  expect(
    likeTap({ platform: 'ios', browser: 'Safari', inAppBrowser: null }, [{ id: 'android-chrome' }]),
  ).toBeUndefined();
});
