import { expect, it } from 'vitest';
import { pagesSince, sentToOf, sentToOfLink } from './outcome.ts';

const OLD = '2026-11-01T00:00:00.000Z';
const CHANGED = '2026-11-02T00:00:00.000Z';
const NEW = '2026-11-03T00:00:00.000Z';
const LINK = { iosUrl: 'https://shop.example/ios', androidUrl: 'https://shop.example/android' };
const NONE = { iosUrl: null, androidUrl: null };
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
  ['page', 'ios', LINK, APP, 'page'],
  ['app', 'android', LINK, APP, 'app'],
  [null, 'android', LINK, APP, 'unknown'],
] as const)('a tap that got %s on %s, with own pages %j in the app %j: %s', (answered, platform, link, app, word) => {
  expect(sentToOfLink({ answered, platform, at: NEW }, link, app, CHANGED)).toBe(word);
});

it.each([
  ['store', OLD, CHANGED, APP, 'storeOrOwn'],
  ['store', OLD, CHANGED, SIMULATED, 'simulatedOrOwn'],
  ['store', NEW, null, APP, 'storeOrOwn'],
  ['page', OLD, CHANGED, APP, 'page'],
] as const)(
  'a tap that got %s at %s, when the pages are known since %s, in the app %j: %s',
  (answered, at, since, app, word) => {
    for (const link of [LINK, NONE])
      expect(sentToOfLink({ answered, platform: 'ios', at }, link, app, since)).toBe(word);
  },
);

it('the pages of a link are as old as their last change', () => {
  const link = { version: 3, createdAt: OLD };
  const edit = (at: string, version: number, path: string) => ({
    action: 'EditLink',
    at,
    before: { version, [path]: 'https://a.example' },
    after: { version: version + 1, [path]: null },
  });
  expect(pagesSince({ ...link, version: 1 }, undefined)).toBe(OLD);
  expect(pagesSince(link, undefined)).toBeNull();
  expect(pagesSince(link, [])).toBeNull();
  expect(pagesSince(link, [edit(NEW, 2, 'name'), edit(CHANGED, 1, 'androidUrl')])).toBe(CHANGED);
  expect(pagesSince(link, [edit(NEW, 2, 'name'), edit(CHANGED, 1, 'destination')])).toBe(OLD);
  expect(pagesSince(link, [edit(NEW, 2, 'name')])).toBe(NEW);
});

it('a store is the simulated app where the app has none', () => {
  expect(sentToOf('store', { simulated: true })).toBe('simulated');
  expect(sentToOf('store', { simulated: false })).toBe('store');
  expect(sentToOf('web', { simulated: true })).toBe('web');
});
