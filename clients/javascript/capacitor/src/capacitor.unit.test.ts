import { expect, it, vi } from 'vitest';
import { configure, type Options } from './index.ts';

const device = {
  getId: async () => ({ identifier: 'one-device' }),
  getInfo: async () => ({ platform: 'android', osVersion: '15', model: 'Pixel 8' }),
  getLanguageTag: async () => ({ value: 'de-AT' }),
};

/** An app whose server has `answers`, by path. */
function phone(answers: Record<string, unknown>, launchUrl?: string) {
  const stored = new Map<string, string>();
  const asked: Parameters<Options['http']['request']>[0][] = [];
  let opens = (_event: { url: string }) => {};
  const options: Options = {
    url: 'https://api.example',
    key: `ol_${'0'.repeat(32)}`,
    hosts: ['shop.links.example'],
    device,
    app: {
      getInfo: async () => ({ id: 'com.example.shop', version: '2.1' }),
      getLaunchUrl: async () => (launchUrl ? { url: launchUrl } : undefined),
      addListener: (_, listener) => {
        opens = listener;
      },
    },
    preferences: {
      get: async ({ key }) => ({ value: stored.get(key) ?? null }),
      set: async ({ key, value }) => void stored.set(key, value),
      remove: async ({ key }) => void stored.delete(key),
    },
    http: {
      request: async (request) => {
        asked.push(request);
        const answer = answers[new URL(request.url).pathname];
        return { status: answer ? 200 : 404, headers: { 'Content-Type': 'application/json' }, data: answer ?? {} };
      },
    },
    installReferrer: async () => 'lf_tap=token',
    installedAt: () => Date.now(),
  };
  return { options, stored, asked, open: (url: string) => opens({ url }) };
}

const HEARTBEAT = '/api/deferred-deep-linking/install-heartbeat';
const RESTORE = '/api/deferred-deep-linking/restore';
const LOOK_UP = '/api/links/get-by-slug';

it('restores the link of the install, with what the plugins tell', async () => {
  const restored = {
    pending_link_id: 'p1',
    link_id: 'l1',
    destination: '/invite?code=7',
    destination_path: '/invite',
    parameters: { code: '7' },
    metadata: {},
    matchType: 'token',
  };
  const { options, asked, stored } = phone({
    [HEARTBEAT]: { success: true, isFirstLaunch: true },
    [RESTORE]: { success: true, restoredLinks: [restored], count: 1 },
  });
  const link = await configure(options).start();
  expect(link).toMatchObject({ destination: '/invite?code=7', via: 'deferred', match: 'token', sure: true });
  const restore = asked.find(({ url }) => url.endsWith(RESTORE))!;
  expect(restore.headers).toMatchObject({ 'x-landfall-client': 'capacitor/0.1.0', 'x-app-version': '2.1' });
  expect(restore.data).toMatchObject({
    deviceFingerprint: 'one-device',
    platform: 'android',
    osVersion: '15',
    model: 'Pixel 8',
    language: 'de-AT',
    installReferrer: 'lf_tap=token',
    installedSecondsAgo: expect.any(Number),
  });
  expect(stored.has('landfall')).toBe(true);
});

it('takes the link that opened the app, and those that come later', async () => {
  const link = { id: 'l1', slug: 's', destination: '/a', destination_path: '/a', parameters: {}, metadata: {} };
  const { options, open } = phone(
    { [HEARTBEAT]: { success: true }, [LOOK_UP]: { success: true, link } },
    'https://shop.links.example/1-a',
  );
  const client = configure(options);
  const heard: string[] = [];
  client.onLink(({ destination, via }) => heard.push(`${via} ${destination}`));
  await client.start();
  expect(heard).toEqual(['direct /a']);
  link.destination = '/b';
  open('https://shop.links.example/1-b');
  await vi.waitFor(() => expect(heard).toEqual(['direct /a', 'direct /b']));
});

it('reads a header, however the system writes its name', async () => {
  const { options } = phone({});
  const request = async () => ({
    status: 429,
    headers: { 'Retry-After': '60' },
    data: { error: 'Too many requests.', code: 'RATE_LIMITED' },
  });
  const made = configure({ ...options, http: { request } }).create({ destination: '/a' });
  await expect(made).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 60 });
});

it('says which plugin is missing', () => {
  const { options } = phone({});
  expect(() => configure({ ...options, http: undefined as never })).toThrow('configure() needs `http`.');
});
