import { expect, it } from 'vitest';
import { pageAt, sentToOf, sentToOfLink } from './outcome.ts';

const TAPPED = '2026-11-02T00:00:00.000Z';
const LINK = { iosUrl: 'https://shop.example/ios', androidUrl: 'https://shop.example/android', version: 1 };
const NONE = { iosUrl: null, androidUrl: null, version: 1 };
const APP = { simulated: false, android: { huaweiStoreUrl: null, amazonStoreUrl: null } };
const HUAWEI = { ...APP, android: { huaweiStoreUrl: 'https://appgallery.huawei.com/app/C1', amazonStoreUrl: null } };
const SIMULATED = { ...APP, simulated: true };

it.each([
  ['store', 'ios', LINK, APP, 'ownIos'],
  ['store', 'android', LINK, APP, 'ownAndroid'],
  ['store', 'android', LINK, HUAWEI, 'storeOrOwn'],
  ['store', 'ios', { ...LINK, iosUrl: null }, APP, 'store'],
  ['store', 'android', NONE, HUAWEI, 'store'],
  ['store', 'android', NONE, SIMULATED, 'simulated'],
  ['store', 'ios', { ...LINK, version: 2 }, APP, 'storeOrOwn'],
  ['store', 'ios', { ...NONE, version: 2 }, SIMULATED, 'simulatedOrOwn'],
  ['page', 'ios', { ...LINK, version: 2 }, APP, 'page'],
  ['app', 'android', LINK, APP, 'app'],
  [null, 'android', LINK, APP, 'unknown'],
] as const)('a tap that got %s on %s, of a link %j in the app %j: %s', (answered, platform, link, app, word) => {
  expect(sentToOfLink({ answered, platform, at: TAPPED }, link, app, undefined)).toBe(word);
});

it('the page of a link at a time is what the next change of it took away', () => {
  const edit = (day: number, version: number, before: object = {}, after: object = {}) => ({
    action: 'EditLink',
    at: `2026-11-0${day}T00:00:00.000Z`,
    before: { version, ...before },
    after: { version: version + 1, ...after },
  });
  const page = (history: Parameters<typeof pageAt>[3]) =>
    pageAt(TAPPED, 'iosUrl', { ...LINK, iosUrl: 'now', version: 4 }, history);
  const named = edit(4, 3, { name: 'a' }, { name: 'b' });
  const set = edit(3, 2, { iosUrl: null }, { iosUrl: 'now' });
  expect(page([named, set, edit(1, 1, { iosUrl: 'first' }, { iosUrl: null })])).toBeNull();
  expect(page([named, edit(3, 2, { iosUrl: 'then' }, { iosUrl: 'now' }), edit(1, 1)])).toBe('then');
  expect(
    page([edit(5, 3, { iosUrl: 'later' }, { iosUrl: 'now' }), edit(3, 1, { iosUrl: 'then' }, { iosUrl: 'later' })]),
  ).toBe('then');
  expect(page([named, edit(3, 2, { androidUrl: 'a' }, { androidUrl: 'b' }), edit(1, 1)])).toBe('now');
  expect(page([named, set])).toBeUndefined();
  expect(page([])).toBeUndefined();
  expect(page(undefined)).toBeUndefined();
});

it('a store is the simulated app where the app has none', () => {
  expect(sentToOf('store', { simulated: true })).toBe('simulated');
  expect(sentToOf('store', { simulated: false })).toBe('store');
  expect(sentToOf('web', { simulated: true })).toBe('web');
});
