// The whole path of the public Flutter SDK: create a link, tap, install, first start, and the days after it.
// Over Kafka: restores wait for taps and heartbeats.
import { hash, randomUUID } from 'node:crypto';
import { freshIp, type TestApp } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { fcmToken, inOneProcess, post, systemOfFile } from '../calls.ts';
import { ANDROID, ANDROID_IN_FACEBOOK, IPHONE } from '../user-agents.ts';
import { flutterSdk, handedOver, type SdkError, type SdkOptions } from './flutter-sdk.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const IN_STORES = { ios: { storeId: '1234567890' }, android: { package: 'com.example.shop' } };

/** Returns an app that has just been installed on a phone. iOS gives every install its own vendor id. */
const installed = ({ app, key }: TestApp, options: Partial<SdkOptions> = {}) =>
  flutterSdk(system, { key, appId: app.id, deviceFingerprint: crypto.randomUUID(), ip: freshIp(), ...options });

it('survives the install', async () => {
  const app = await system.makeApp(IN_STORES);
  const server = installed(app, { baseUrl: 'http://api.test/' });
  const link = await server.createLink('/invite/7?code=42&utm_source=mail', {
    invitedBy: 'Zoë 🙂',
    title: 'Приглашение',
  });
  expect(link.metadata).toMatchObject({ invitedBy: 'Zoë 🙂', title: 'Приглашение', created_via: 'sdk' });

  // The person has no app, so the tap leads to the store.
  const ip = freshIp();
  const tap = await calls.tap(link.url, { ip, userAgent: IPHONE });
  expect(tap.headers.location).toBe('https://apps.apple.com/app/id1234567890');
  system.clock.advance({ minutes: 3 });

  // The first start returns the destination of the link.
  const phone = installed(app, { ip });
  const [opened] = await phone.start();
  await phone.idle();
  expect(phone.navigated).toEqual(['/invite/7?code=42&utm_source=mail']);
  expect(opened).toMatchObject({
    path: '/invite/7?code=42&utm_source=mail',
    utmSource: 'mail',
    metadata: { invitedBy: 'Zoë 🙂', title: 'Приглашение' },
    parameters: { code: '42', utm_source: 'mail', invitedBy: 'Zoë 🙂' },
  });

  // Every later start asks again, and the app does not navigate.
  for (const hours of [1, 12, 24, 48]) {
    system.clock.advance({ hours });
    expect(await phone.start()).toEqual([]);
    await phone.idle();
  }
  expect(phone.navigated).toHaveLength(1);
});

it('survives the install on Android, where every phone of a model has one fingerprint', async () => {
  const app = await system.makeApp(IN_STORES);
  const deviceFingerprint = 'UQ1A.240205.002 Pixel 8 Google';
  const server = installed(app);
  const onPixel = (ip: string) => installed(app, { deviceFingerprint, ip });
  // Other people with the same phone model start the app for three days.
  for (let day = 0; day < 3; day++) {
    for (const phone of [onPixel(freshIp()), onPixel(freshIp())]) {
      expect(await phone.start()).toEqual([]);
      await phone.idle();
    }
    system.clock.advance({ days: 1 });
  }
  const link = await server.createLink('/product/9');
  const ip = freshIp();
  await calls.tap(link.url, { ip, userAgent: ANDROID });
  system.clock.advance({ minutes: 2 });
  // A phone of the same model at another address gets nothing at the same time.
  expect(await onPixel(freshIp()).start()).toEqual([]);
  const phone = onPixel(ip);
  expect((await phone.start()).map((opened) => opened.path)).toEqual(['/product/9']);
  await phone.idle();
});

it('is known by the browser inside an app that tapped, so that no other phone gets the link', async () => {
  const app = await system.makeApp(IN_STORES);
  const deviceFingerprint = hash('sha256', 'AP2A.240905.003_Pixel 8_Google_14');
  // The fingerprint is shared, and nobody knows which phones of the model are new.
  for (const other of [freshIp(), freshIp()]) await installed(app, { deviceFingerprint, ip: other }).start();
  const link = await installed(app).createLink('/product/9');
  const ip = freshIp();
  await calls.tap(link.url, { ip, userAgent: ANDROID_IN_FACEBOOK });
  system.clock.advance({ minutes: 10 });
  expect(await installed(app, { deviceFingerprint: hash('sha256', 'an iPhone'), ip }).start()).toEqual([]);
  system.clock.advance({ minutes: 40 });
  const phone = installed(app, { deviceFingerprint, ip });
  expect((await phone.start()).map((opened) => opened.path)).toEqual(['/product/9']);
  await phone.idle();
});

once.it('opens what reaches the installed app, and leaves its tap to nobody', async () => {
  const app = await system.makeApp(IN_STORES);
  const link = await installed(app).createLink('/orders/1?x=2');
  const ip = freshIp();
  const phone = installed(app, { ip });
  await phone.start();
  await phone.idle();
  // The person taps in a browser that does not know the app. The landing page opens, and its button opens the app.
  await calls.tap(link.url, { ip, userAgent: IPHONE });
  const [opened] = await phone.start({ link: handedOver(app.app, link.slug) });
  await system.settled();
  expect(opened).toMatchObject({ path: '/orders/1?x=2', parameters: { x: '2' } });
  // A new install by another person at the same address gets nothing.
  const stranger = installed(app, { ip });
  expect(await stranger.start()).toEqual([]);
  await stranger.idle();
});

once.it('opens a link on any host of the app, with what was added to it on the way', async () => {
  const app = await system.makeApp();
  const { slug } = await installed(app).createLink('/a');
  const phone = installed(app);
  const { subdomain } = app.app;
  const uris = [
    handedOver(app.app, slug),
    `${handedOver(app.app, slug)}?fbclid=abc#top`,
    handedOver({ subdomain: `open-${subdomain}` }, slug),
    handedOver({ subdomain: subdomain.toUpperCase() }, slug),
    `shop://open/${slug}`,
    `https://elsewhere.example/go/${slug}`,
  ];
  for (const uri of uris) expect(await phone.open(uri), uri).toMatchObject({ path: '/a' });
});

once.it('finds nothing, and says nothing, for what is no link', async () => {
  const app = await system.makeApp();
  const phone = installed(app);
  const uris = [
    'com.example.shop://oauth/callback?code=1&state=2',
    'shop://pay',
    'https://shop.example/',
    'https://shop.example/orders/7',
    `${handedOver(app.app, 'x')}/`,
  ];
  for (const uri of uris) expect(await phone.open(uri), uri).toBeNull();
  expect(phone.navigated).toEqual([]);
});

once.it('finds what a server stored for a person, by email or any other id, when they sign in', async () => {
  const app = await system.makeApp();
  const server = installed(app);
  const [first, second] = [await server.createLink('/first'), await server.createLink('/second')];
  for (const { id: linkId } of [first, second]) await calls.store(app, { linkId, userEmail: 'Ann@Example.com' });
  const { id: linkId } = await server.createLink('/by-id');
  await calls.store(app, { linkId, userEmail: '4711' });

  const phone = installed(app);
  await phone.start({ userEmail: ' ann@example.com' });
  // The app navigates to each restored link in turn, and stays on the last.
  expect(phone.navigated).toEqual(['/first', '/second']);
  await phone.start({ userEmail: '4711' });
  expect(phone.navigated.at(-1)).toBe('/by-id');
  await phone.idle();
});

once.it('sends one heartbeat a day, and the first one is the first launch', async () => {
  const app = await system.makeApp();
  const deviceFingerprint = crypto.randomUUID();
  const phone = installed(app, { deviceFingerprint });
  for (const hours of [0, 1, 22]) {
    system.clock.advance({ hours });
    await phone.start();
    await phone.idle();
  }
  // The app sent only one heartbeat, so the server does not treat the fingerprint as one of several phones.
  const { id: linkId } = await installed(app).createLink('/mine');
  await calls.store(app, { linkId, deviceFingerprint });
  expect((await phone.start()).map(({ path }) => path)).toEqual(['/mine']);
  await phone.idle();
});

it('registers for push, says who is signed in and who is not any more, and what was opened', async () => {
  const app = await system.makeApp();
  const phone = installed(app, { baseUrl: 'http://api.test/' });
  // On an iPhone, too, the SDK sends a Firebase token.
  const token = fcmToken();
  const signedIn = async () => {
    await system.settled();
    const target = { userEmails: ['ann@example.com'] };
    const counted = await system.manage(post(`/api/manage/apps/${app.app.id}/notifications/audience`, { target }));
    return counted.json.byKind;
  };
  expect(await phone.registerForPush(token, 'ios', 'Ann@Example.com')).toBe(true);
  expect(await signedIn()).toEqual({ fcm: 1, apns: 0 });
  expect(await phone.registerForPush(token, 'ios')).toBe(true);
  expect(await signedIn()).toEqual({ fcm: 0, apns: 0 });

  const metadata = JSON.stringify({ code: '42' });
  await phone.tapPush({ notificationId: randomUUID(), deviceToken: token, destinationPath: '/invite', metadata });
  // A push of another push service.
  await phone.tapPush({ notificationId: 'campaign-7' });
  await phone.idle();
  expect(phone.navigated).toEqual(['/invite?code=42', '/']);
});

once.describe('a failure is what the SDK can read', () => {
  const failure = (promise: Promise<unknown>): Promise<SdkError> =>
    promise.then(
      () => expect.unreachable('it worked'),
      (error: unknown) => error as SdkError,
    );

  it('when the plan is used up', async () => {
    const app = await system.makeApp({}, 1);
    const server = installed(app);
    await server.createLink('/a');
    const { status, message, facts } = await failure(server.createLink('/b'));
    expect(status).toBe(403);
    expect(message).toMatch(/\w/);
    expect(facts.reason).toBe('GENERATED_LINKS_LIMIT_REACHED');
    expect([facts.currentCount, facts.limit].every(Number.isInteger)).toBe(true);
    expect(facts.plan).toBeTypeOf('string');
    expect(facts.upgradeRequired === null || typeof facts.upgradeRequired === 'string').toBe(true);
  });

  it('when the key is wrong, and then it opens links all the same', async () => {
    const app = await system.makeApp();
    const { slug } = await installed(app).createLink('/a');
    const phone = installed(app, { key: `ol_${'0'.repeat(32)}` });
    expect(await failure(phone.createLink('/a'))).toMatchObject({ status: 401 });
    expect(await failure(phone.start())).toMatchObject({ status: 401 });
    await phone.idle();
    expect(await phone.open(handedOver(app.app, slug))).toMatchObject({ path: '/a' });
  });
});
