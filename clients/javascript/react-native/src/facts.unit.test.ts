import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { configureWith, storageOf, VERSION } from './configure.ts';
import { factsOf, type Modules } from './facts.ts';

const ANDROID = { OS: 'android', Version: 34, constants: { Release: '14', Model: 'Pixel 8' } };
const IPHONE = { OS: 'ios', Version: '18.1', constants: { osVersion: '18.1' } };

const unavailable = () => Promise.reject(new Error('not on this platform'));
const application = {
  applicationId: 'com.example.shop',
  nativeApplicationVersion: '1.2.0',
  getInstallationTimeAsync: async () => new Date(1_000),
  getInstallReferrerAsync: async () => 'utm_source=x',
  getAndroidId: () => 'a1b2',
  getIosIdForVendorAsync: async () => 'VENDOR-1',
};
const expo: Modules = {
  application,
  device: { modelId: 'iPhone15,3', modelName: 'Pixel 8', osVersion: '14' },
  localization: { getLocales: () => [{ languageTag: 'de-AT' }] },
};
const deviceInfo: Modules = {
  deviceInfo: {
    getVersion: () => '1.2.0',
    getBundleId: () => 'com.example.shop',
    getModel: () => 'Pixel 8',
    getDeviceId: () => 'shiba',
    getSystemVersion: () => '14',
    getUniqueId: async () => 'a1b2',
    getFirstInstallTime: async () => 1_000,
    getInstallReferrer: async () => 'utm_source=x',
  },
};

async function told(platform: typeof ANDROID | typeof IPHONE, modules: Modules) {
  const facts = Object.entries(factsOf(platform, modules)).map(async ([name, ask]) => [name, await ask()] as const);
  return Object.fromEntries((await Promise.all(facts)).filter(([, value]) => value !== undefined));
}

/** With the types of the module: its text may be null. */
const playSays = (installReferrer: string | null) => ({
  getInstallReferrerInfo: (done: (info: { installReferrer: string | null } | null, error: unknown) => void) =>
    done({ installReferrer }, null),
});

const PHONE = { platform: 'android', osVersion: '14', model: 'Pixel 8' };
const APP = {
  id: 'a1b2',
  appId: 'com.example.shop',
  appVersion: '1.2.0',
  installedAt: 1_000,
  installReferrer: 'utm_source=x',
};

describe('what the system tells', () => {
  it('by the modules of Expo', async () => {
    expect(await told(ANDROID, expo)).toEqual({ ...PHONE, ...APP, language: 'de-AT' });
    const onIphone = { ...expo, application: { ...application, getInstallReferrerAsync: unavailable } };
    const { installReferrer: _, ...app } = APP;
    const iphone = { platform: 'ios', osVersion: '14', model: 'iPhone15,3', language: 'de-AT' };
    expect(await told(IPHONE, onIphone)).toEqual({ ...app, ...iphone, id: 'VENDOR-1' });
  });

  it('by react-native-device-info, whose getDeviceId is no id of one device', async () => {
    expect(await told(ANDROID, deviceInfo)).toEqual({ ...PHONE, ...APP, language: expect.any(String) });
  });

  it('by React Native alone: on Android the version of the system, not the level of its API', async () => {
    expect(await told(ANDROID, {})).toEqual({ ...PHONE, language: expect.any(String) });
    expect(await told(IPHONE, {})).toEqual({ platform: 'ios', osVersion: '18.1', language: expect.any(String) });
  });

  it('skips what a module does not know, and asks the next one', async () => {
    const silent = { ...application, nativeApplicationVersion: null, getInstallationTimeAsync: unavailable };
    const info = {
      ...deviceInfo.deviceInfo!,
      getFirstInstallTime: async () => -1,
      getInstallReferrer: async () => 'unknown',
    };
    const facts = await told(ANDROID, {
      application: { ...silent, getInstallReferrerAsync: unavailable },
      deviceInfo: info,
    });
    expect(facts).toMatchObject({ appVersion: '1.2.0' });
    expect(Object.keys(facts)).not.toContain('installedAt');
    expect(Object.keys(facts)).not.toContain('installReferrer');
  });

  it('by react-native-play-install-referrer, first', async () => {
    const installReferrer = playSays('lf_click=abc');
    expect(await told(ANDROID, { ...expo, installReferrer })).toMatchObject({ installReferrer: 'lf_click=abc' });
    // Without a text of its own, that of the next module counts.
    expect(await told(ANDROID, { ...expo, installReferrer: playSays(null) })).toMatchObject({
      installReferrer: 'utm_source=x',
    });
    // On iOS the module is an empty object.
    expect(await told(IPHONE, { installReferrer: {} })).not.toHaveProperty('installReferrer');
  });

  it('by a clipboard, if there is a text', async () => {
    const text = async () => 'https://shop.links.example/a';
    expect(await told(IPHONE, { clipboard: { getStringAsync: text } })).toMatchObject({ clipboard: await text() });
    expect(await told(IPHONE, { clipboard: { getString: text, hasString: async () => true } })).toHaveProperty(
      'clipboard',
    );
    const empty = { getStringAsync: unavailable, hasStringAsync: async () => false };
    await expect(factsOf(IPHONE, { clipboard: empty }).clipboard!()).resolves.toBeUndefined();
  });
});

describe('the storage', () => {
  it.each(['delete', 'remove'])('may be MMKV, which has %s', (name) => {
    const map = new Map<string, string>();
    const remove = (key: string) => map.delete(key);
    const mmkv = {
      getString: (key: string) => map.get(key),
      set: (key: string, value: string) => void map.set(key, value),
    };
    const storage = storageOf({ ...mmkv, [name]: remove });
    storage.setItem('landfall', '{}');
    expect(storage.getItem('landfall')).toBe('{}');
    storage.removeItem('landfall');
    expect(storage.getItem('landfall')).toBeUndefined();
  });
});

describe('configure', () => {
  it('says which option is missing', () => {
    const options = { url: 'https://api.example', key: `ol_${'0'.repeat(32)}`, hosts: ['shop.links.example'] };
    expect(() => configureWith({} as never, options as never)).toThrow('configure() needs `storage`.');
  });

  it('names the version of the package', () => {
    expect(JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')).version).toBe(VERSION);
  });
});

it('the sources use no URL class, which is incomplete in many versions of React Native', () => {
  for (const file of readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name))) {
    expect(readFileSync(path.join(import.meta.dirname, file), 'utf8')).not.toMatch(/new URL|URLSearchParams/);
  }
});
