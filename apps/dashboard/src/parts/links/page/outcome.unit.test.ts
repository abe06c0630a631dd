import { expect, it } from 'vitest';
import { ownPageOf, sentToOf } from './outcome.ts';

const LINK = { iosUrl: 'https://shop.example/ios', androidUrl: 'https://shop.example/android', version: 1 };
const NONE = { iosUrl: null, androidUrl: null, version: 1 };
const APP = { android: { huaweiStoreUrl: null, amazonStoreUrl: null } };
const HUAWEI = { android: { huaweiStoreUrl: 'https://appgallery.huawei.com/app/C1', amazonStoreUrl: null } };

it.each([
  ['store', 'ios', LINK, APP, 'ownIos'],
  ['store', 'android', LINK, APP, 'ownAndroid'],
  ['store', 'android', LINK, HUAWEI, 'ownAndroidOrStore'],
  ['store', 'ios', { ...LINK, iosUrl: null }, APP, null],
  ['store', 'android', { ...LINK, androidUrl: null }, HUAWEI, null],
  ['store', 'android', NONE, APP, null],
  ['store', 'ios', { ...LINK, version: 2 }, APP, 'storeOrOther'],
  ['store', 'ios', { ...NONE, version: 2 }, APP, 'storeOrOther'],
  ['page', 'ios', { ...LINK, version: 2 }, APP, null],
  ['page', 'ios', LINK, APP, null],
  ['app', 'android', LINK, APP, null],
  [null, 'android', LINK, APP, null],
] as const)('a tap that got %s on %s, with own pages %j in the app %j: %s', (answered, platform, link, app, word) => {
  expect(ownPageOf({ answered, platform }, link, app)).toBe(word);
});

it('a store is the simulated app where the app has none', () => {
  expect(sentToOf('store', { simulated: true })).toBe('simulated');
  expect(sentToOf('store', { simulated: false })).toBe('store');
  expect(sentToOf('web', { simulated: true })).toBe('web');
});
