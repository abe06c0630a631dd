// The files of the guide, as the README shows them: each app gets its first restored link, and registers for pushes. The
// modules of others are stand-ins with their shapes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { PermissionsAndroid, Platform, Text, View } from 'react-native';
import { act, create } from 'react-test-renderer';

const mockStored = new Map();
jest.mock(
  '@react-native-async-storage/async-storage',
  () => ({
    __esModule: true,
    default: {
      getItem: async (key) => mockStored.get(key) ?? null,
      setItem: async (key, value) => void mockStored.set(key, value),
      removeItem: async (key) => void mockStored.delete(key),
    },
  }),
  { virtual: true },
);
// The guide has a place for the key.
jest.mock('@landfall/react-native', () => {
  const real = jest.requireActual('@landfall/react-native');
  return { ...real, configure: (options) => real.configure({ ...options, key: `ol_${'0'.repeat(32)}` }) };
});
jest.mock(
  '@react-native-firebase/messaging',
  () => ({
    getMessaging: () => ({}),
    getToken: async () => 'fcm-token:1',
    requestPermission: async () => 1,
    onTokenRefresh: () => () => {},
    getInitialNotification: async () => null,
    onNotificationOpenedApp: (_messaging, listener) => {
      mockPush = listener;
      return () => {};
    },
  }),
  { virtual: true },
);
jest.mock(
  'expo-application',
  () => ({
    applicationId: 'com.example.shop',
    nativeApplicationVersion: '1.2.0',
    getInstallationTimeAsync: async () => new Date(Date.now() - 40_500),
    getInstallReferrerAsync: async () => 'lf_click=abc',
    getAndroidId: () => 'a1b2',
  }),
  { virtual: true },
);
jest.mock('expo-device', () => ({ modelId: null, modelName: 'Pixel 8', osVersion: '14' }), { virtual: true });
jest.mock('expo-localization', () => ({ getLocales: () => [{ languageTag: 'de-AT' }] }), { virtual: true });
jest.mock('react-native-localize', () => ({ getLocales: () => [{ languageTag: 'de-AT' }] }), { virtual: true });
jest.mock('expo-clipboard', () => ({ hasStringAsync: async () => false }), { virtual: true });
jest.mock(
  '@react-native-clipboard/clipboard',
  () => ({
    __esModule: true,
    default: { getString: async () => 'a secret', hasString: async () => true },
  }),
  { virtual: true },
);
jest.mock(
  'react-native-play-install-referrer',
  () => ({
    PlayInstallReferrer: { getInstallReferrerInfo: (done) => done({ installReferrer: 'lf_click=abc' }, null) },
  }),
  { virtual: true },
);
jest.mock(
  'react-native-device-info',
  () => ({
    __esModule: true,
    default: {
      getVersion: () => '1.2.0',
      getBundleId: () => 'com.example.shop',
      getModel: () => 'Pixel 8',
      getDeviceId: () => 'shiba',
      getSystemVersion: () => '14',
      getUniqueId: async () => 'a1b2',
      getFirstInstallTime: async () => Date.now() - 40_500,
      getInstallReferrer: async () => 'unknown',
    },
  }),
  { virtual: true },
);
jest.mock(
  '@react-navigation/native',
  () => ({
    createNavigationContainerRef: () => mockNavigation,
    NavigationContainer: ({ linking }) => {
      mockLinking = linking;
      return null;
    },
  }),
  { virtual: true },
);
jest.mock('@react-navigation/native-stack', () => ({ createNativeStackNavigator: () => ({}) }), { virtual: true });

let mockPush;
let mockLinking;
const mockNavigation = { navigate: jest.fn() };

const BODY = {
  platform: 'android',
  osVersion: '14',
  model: 'Pixel 8',
  language: 'de-AT',
  deviceFingerprint: 'a1b2',
  installedSecondsAgo: 40,
  installReferrer: 'lf_click=abc',
};
const NOW = Date.now();
const PUSH = { notificationId: 'n1', destinationPath: '/invite?code=8' };

// React Native loads a component when it is first named, which takes seconds. Here it is outside the time of a test.
expect([Text, View]).not.toContain(undefined);

/** Starts the app of a file, and returns what it asks. */
function launch(file) {
  Platform.OS = 'android';
  PermissionsAndroid.request = jest.fn(async () => 'granted');
  // The seconds since the install are those of one moment.
  Date.now = () => NOW;
  mockStored.clear();
  const asked = {};
  globalThis.fetch = async (url, { headers, body }) => {
    asked[url.replace(/^.*\/api\//, '')] = { version: headers['x-app-version'], ...(body && JSON.parse(body)) };
    const link = { destination: '/invite?code=7', parameters: { code: '7' }, metadata: {}, matchType: 'token' };
    return {
      status: 200,
      headers: { get: () => null },
      text: async () => JSON.stringify({ success: true, restoredLinks: [link] }),
    };
  };
  return { app: require(file), asked };
}

const turn = () => act(async () => new Promise((resolve) => setTimeout(resolve, 0)));
async function until(isSo) {
  while (!isSo()) await turn();
}
const shown = (screen) => JSON.stringify(screen.toJSON());

test('Expo', async () => {
  const { app, asked } = launch('./guide/expo.tsx');
  let screen;
  await act(async () => {
    screen = create(createElement(app.default));
  });
  await until(() => shown(screen).includes('Your invitation: 7'));
  expect(asked['deferred-deep-linking/restore']).toEqual({ version: '1.2.0', ...BODY });
  await app.registerForPushes();
  expect(PermissionsAndroid.request).toHaveBeenCalledWith('android.permission.POST_NOTIFICATIONS');
  expect(asked['push/register']).toMatchObject({ deviceToken: 'fcm-token:1', platform: 'android' });
  await act(async () => mockPush({ data: PUSH }));
  expect(shown(screen)).toContain('Your invitation: 8');
  await until(() => 'push/opened' in asked);
  expect(asked['push/opened']).toMatchObject({ notificationId: 'n1' });
});

test('bare React Native, with React Navigation', async () => {
  const { app, asked } = launch('./guide/bare.tsx');
  await act(async () => {
    create(createElement(app.default));
  });
  expect(await mockLinking.getInitialURL()).toBe('https://shop.links.example/invite?code=7');
  expect(mockLinking.prefixes).toEqual(['https://shop.links.example', 'https://open-shop.links.example']);
  expect(asked['deferred-deep-linking/restore']).toEqual({ version: '1.2.0', ...BODY });
  await app.registerForPushes();
  expect(PermissionsAndroid.request).toHaveBeenCalledWith('android.permission.POST_NOTIFICATIONS');
  expect(asked['push/register']).toMatchObject({ deviceToken: 'fcm-token:1', platform: 'android' });
  mockPush({ data: PUSH });
  expect(mockNavigation.navigate).toHaveBeenCalledWith('Invite', { code: '8' });
});

test.each(['expo', 'bare'])('the README shows the file %s', (name) => {
  const readme = readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  expect(readme).toContain(readFileSync(path.join(__dirname, `guide/${name}.tsx`), 'utf8'));
});
