// One person is one click: what the buttons of our pages cause is the next step of the same tap.
// Over Kafka: gateways share the steps of a tap in Redis.
import { ANDROID, freshIp, IPHONE, type TestApp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { inOneProcess, newDevice, systemOfFile } from '../calls.ts';
import * as agents from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const IPAD_IN_INSTAGRAM = agents.IPHONE_IN_INSTAGRAM.replace('(iPhone; CPU iPhone OS', '(iPad; CPU OS');
const ANDROID_IN_TELEGRAM = `${ANDROID} Telegram-Android/11.4.3 (Samsung SM-G965N; Android 7.1.2; SDK 25; LOW)`;

const SETTINGS = { ios: { storeId: '1234567890' }, android: { package: 'com.example.shop' } };
const openHost = (url: string) => url.replace('//', '//open-');
const withExit = (url: string, exit: string) => `${url}?lf_out=${exit}`;

async function total(app: TestApp, metric: string): Promise<number> {
  await system.settled();
  const path = `/api/manage/apps/${app.app.id}/analytics?metric=${metric}`;
  const { values } = (await system.manage({ path })).json;
  return values.reduce((sum: number, value: number) => sum + value, 0);
}

/** Makes an app with a link, and returns a function that taps it. */
async function aLink() {
  const app = await system.makeApp(SETTINGS);
  const { url } = await system.makeLink(app);
  const ip = freshIp();
  const tap = (at: string, userAgent: string, from = ip) => calls.tap(at, { ip: from, userAgent });
  const counted = async () => [await total(app, 'clicks'), await total(app, 'visitors')];
  return { app, url, ip, tap, counted };
}

describe('one click and one visitor', () => {
  once.it.each([
    ['Instagram', agents.IPHONE_IN_INSTAGRAM, 'instagram-extbrowser', IPHONE],
    ['LinkedIn', agents.IPHONE_IN_LINKEDIN, 'ios-safari', IPHONE],
    ['Instagram on an iPad, whose browser says Macintosh', IPAD_IN_INSTAGRAM, 'instagram-extbrowser', null],
  ])('are a tap inside %s and its way out', async (_, inside, exit, outside) => {
    const { url, tap, counted } = await aLink();
    await tap(url, inside);
    if (outside !== null) await tap(withExit(url, exit), outside);
    else {
      await tap(withExit(url, exit), agents.MACINTOSH);
      await tap(`${withExit(url, exit)}&lf_touch=1`, agents.MACINTOSH);
    }
    expect(await counted()).toEqual([1, 1]);
  });

  it('are a tap and the button that opens the app, also in another browser, and back', async () => {
    const { url, tap, counted } = await aLink();
    await tap(url, agents.IPHONE_IN_INSTAGRAM);
    await tap(openHost(url), agents.IPHONE_IN_INSTAGRAM);
    await tap(url, agents.IPHONE_IN_INSTAGRAM);
    await tap(openHost(url), IPHONE);
    expect(await counted()).toEqual([1, 1]);
  });
});

once.describe('a mark in a URL hides nobody', () => {
  it.each([
    ['without an earlier tap', (url: string) => [[withExit(url, 'instagram-extbrowser'), IPHONE]]],
    [
      'at another address',
      (url: string) => [
        [url, agents.IPHONE_IN_INSTAGRAM],
        [withExit(url, 'instagram-extbrowser'), IPHONE, freshIp()],
      ],
    ],
    [
      'of another app',
      (url: string) => [
        [url, agents.IPHONE_IN_INSTAGRAM],
        [withExit(url, 'line-parameter'), IPHONE],
      ],
    ],
    [
      'on another kind of phone',
      (url: string) => [
        [url, agents.IPHONE_IN_INSTAGRAM],
        [withExit(url, 'instagram-extbrowser'), ANDROID],
      ],
    ],
    [
      'in a third browser',
      (url: string) => [
        [url, agents.IPHONE_IN_INSTAGRAM],
        [withExit(url, 'instagram-extbrowser'), IPHONE],
        [withExit(url, 'instagram-extbrowser'), IPHONE.replace('Version/', 'CriOS/')],
      ],
    ],
    [
      'on the open host at another address',
      (url: string) => [
        [url, agents.IPHONE_IN_INSTAGRAM],
        [openHost(url), agents.IPHONE_IN_INSTAGRAM, freshIp()],
      ],
    ],
  ] as [string, (url: string) => [string, string, string?][]][])('%s', async (_, requests) => {
    const { app, url, tap } = await aLink();
    const all = requests(url);
    for (const request of all) await tap(...request);
    expect(await total(app, 'clicks')).toBe(Math.min(all.length, 2));
  });

  it('ten minutes later', async () => {
    const { app, url, tap } = await aLink();
    await tap(url, agents.IPHONE_IN_INSTAGRAM);
    system.clock.advance({ minutes: 10 });
    await tap(withExit(url, 'instagram-extbrowser'), IPHONE);
    expect(await total(app, 'clicks')).toBe(2);
  });
});

it('the app finds the link after a way out, by the address and by the token of Play', async () => {
  const ios = await aLink();
  await ios.tap(ios.url, agents.IPHONE_IN_INSTAGRAM);
  await ios.tap(withExit(ios.url, 'instagram-extbrowser'), IPHONE);
  const found = await calls.restore(ios.app, newDevice().body, { ip: ios.ip });
  expect(found.json.restoredLinks).toMatchObject([{ originalUrl: ios.url }]);

  const android = await aLink();
  await android.tap(android.url, ANDROID_IN_TELEGRAM);
  const outside = await android.tap(withExit(android.url, 'android-intent'), ANDROID);
  const installReferrer = new URL(outside.headers.location!).searchParams.get('referrer')!;
  expect(await total(android.app, 'clicks')).toBe(1);
  const elsewhere = { ip: freshIp() };
  const restored = await calls.restore(android.app, { ...newDevice().body, installReferrer }, elsewhere);
  expect(restored.json.restoredLinks).toMatchObject([{ originalUrl: android.url, matchType: 'token' }]);
  // It is the tap inside the app, so nobody else gets it by the address.
  expect((await calls.restore(android.app, newDevice().body, { ip: android.ip })).json.count).toBe(0);
});
