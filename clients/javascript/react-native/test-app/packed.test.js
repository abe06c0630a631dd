// The packed package under React Native's own preset for jest: some stories, an incoming link, the hook and the plugin.
import path from 'node:path';
import { configure, useLink } from '@landfall/react-native';
import { createElement } from 'react';
import { Linking, Platform } from 'react-native';
import { act, create } from 'react-test-renderer';
import { readVectors, replay } from '../../client/src/vectors.testing.ts';
import { stageOf } from '../src/phone.testing.ts';

const STORIES = [
  'first-start',
  'opened-by-a-link',
  'opened-while-starting',
  'offline-first-start',
  'push-registration',
];

test('the package is the packed one', () => {
  const file = path.join('node_modules', '@landfall', 'react-native', 'dist', 'cjs', 'index.js');
  expect(require.resolve('@landfall/react-native')).toBe(path.join(__dirname, file));
});

describe('stories', () => {
  const { fetch, setTimeout, clearTimeout } = globalThis;
  const { now } = Date;
  afterAll(() => {
    Object.assign(globalThis, { fetch, setTimeout, clearTimeout });
    Date.now = now;
    jest.restoreAllMocks();
  });

  const stage = stageOf((native, options) => {
    jest.spyOn(Linking, 'getInitialURL').mockImplementation(native.Linking.getInitialURL);
    jest.spyOn(Linking, 'addEventListener').mockImplementation(native.Linking.addEventListener);
    Platform.OS = native.Platform.OS;
    return configure(options);
  });
  const vectors = readVectors(path.join(__dirname, '../../../vectors')).filter(([name]) => STORIES.includes(name));

  test.each(vectors)('%s', (_, vector) => replay(vector, stage));

  test('are all there', () => {
    expect(vectors).toHaveLength(STORIES.length);
  });
});

test('a link that reaches the running app reaches the component that listens', async () => {
  Platform.OS = 'ios';
  let arrive;
  jest.spyOn(Linking, 'getInitialURL').mockResolvedValue(null);
  jest.spyOn(Linking, 'addEventListener').mockImplementation((_type, listener) => {
    arrive = listener;
    return { remove: () => {} };
  });
  const asked = [];
  globalThis.fetch = async (url, { headers }) => {
    asked.push({ url, client: headers['x-landfall-client'] });
    const link = { id: 'l1', destination: '/invite?code=7', parameters: { code: '7' }, metadata: {} };
    const text = async () => JSON.stringify({ success: true, restoredLinks: [], link });
    return { status: 200, headers: { get: () => null }, text };
  };
  const stored = new Map();
  const landfall = configure({
    url: 'https://api.example',
    key: `ol_${'0'.repeat(32)}`,
    hosts: ['shop.links.example'],
    storage: {
      getItem: async (key) => stored.get(key) ?? null,
      setItem: async (key, value) => stored.set(key, value),
      removeItem: async (key) => stored.delete(key),
    },
  });
  const got = [];
  const App = () => {
    useLink((link) => {
      got.push(link.destination);
      link.handled();
    });
    return null;
  };
  await act(async () => {
    create(createElement(App));
  });
  expect(await landfall.start()).toBeNull();
  arrive({ url: 'https://shop.links.example/1-a' });
  await new Promise(setImmediate);
  expect(got).toEqual(['/invite?code=7']);
  expect(asked.map(({ url }) => url.replace(/^.*\/api\//, ''))).toEqual([
    'deferred-deep-linking/install-heartbeat',
    'deferred-deep-linking/restore',
    'links/get-by-slug?slug=1-a&hostname=shop.links.example',
  ]);
  expect(asked[0].client).toMatch(/^react-native\/\d/);
  expect(JSON.parse(stored.get('landfall'))).toMatchObject({ restored: true, waiting: [] });
});

test('Expo finds the plugin', () => {
  const withLandfall = require('@landfall/react-native/app.plugin.js');
  const config = withLandfall({ name: 'Shop' }, { hosts: ['shop.links.example'] });
  expect(config.ios.associatedDomains).toEqual(['applinks:shop.links.example']);
});
