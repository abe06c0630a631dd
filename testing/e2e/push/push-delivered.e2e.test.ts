// Follows a push from its sender to the devices and back, through servers that use the protocols of Google and Apple.
// Over Kafka: workers share the devices of a push.
import { fakesOfRun, type Received, type TestApp } from '@landfall/testkit';
import { wasTaken } from '@landfall/testkit/push';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { apnsToken, fcmToken, inOneProcess, patch, post, put, systemOfFile } from '../calls.ts';

const fakes = await fakesOfRun();
afterAll(() => fakes.close());
const { system, calls } = await systemOfFile(fakes.env);
const once = inOneProcess();
beforeEach(() => fakes.clear());

const SOON = { timeout: 20_000, interval: 20 };

const providersOf = (app: TestApp) => `/api/manage/apps/${app.app.id}/push-providers`;
async function setProvider(app: TestApp, kind: 'fcm' | 'apns', credentials: object): Promise<Received> {
  const set = await system.manage(put(`${providersOf(app)}/${kind}`, credentials));
  expect(set.status, set.text).toBe(200);
  return set;
}

async function makeSender(): Promise<TestApp> {
  const app = await system.makeApp();
  expect((await setProvider(app, 'fcm', await fakes.newServiceAccount())).json.checked).toBe(true);
  expect((await setProvider(app, 'apns', await fakes.newAppleKey())).json.checked).toBe(true);
  return app;
}

async function register(app: TestApp, deviceToken: string, platform = 'ios', userEmail?: string): Promise<void> {
  const registered = await calls.register(app, { deviceToken, platform, userEmail });
  expect(registered.status, registered.text).toBe(200);
}

async function send(app: TestApp, body: object = {}): Promise<string> {
  const all = { appId: app.app.id, title: 'Your order', body: 'is on its way', target: { all: true }, ...body };
  const sent = await system.manage(post('/api/push/send', all));
  expect(sent.status, sent.text).toBe(200);
  return sent.json.notificationId;
}

/** Returns the pushes that a provider received for a token. */
const seen = async (kind: 'fcm' | 'apns', token: string) =>
  (await fakes.received(kind)).filter((one) => one.token === token);
const see = async (id: string) => (await system.manage({ path: `/api/manage/notifications/${id}` })).json;
const counts = async (id: string) => (await see(id)).notification.counts;
/** Also fails with the reasons of the deliveries, when it does not end. */
const ended = (id: string) =>
  expect
    .poll(async () => {
      const { status } = (await see(id)).notification;
      if (status === 'sent') return { status };
      return { status, deliveries: (await system.manage({ path: `/api/manage/notifications/${id}/deliveries` })).json };
    }, SOON)
    .toEqual({ status: 'sent' });

it('reaches each device through who gave its token, is opened there, and is counted', async () => {
  const app = await makeSender();
  // The public SDK registers the token that it gets from Firebase, also on iPhones.
  const [android, iphone, apple] = [fcmToken(), fcmToken(), apnsToken()];
  await register(app, android, 'android', 'ann@push.example');
  await register(app, iphone, 'ios');
  await register(app, apple, 'ios');
  const id = await send(app, { destinationPath: '/orders/7?tab=map', metadata: { order: 7, gift: true } });
  await ended(id);

  for (const token of [android, iphone]) {
    expect(await seen('fcm', token)).toHaveLength(1);
    const { notification, data } = (await fakes.messageTo('fcm', token))!;
    expect(notification).toMatchObject({ title: 'Your order', body: 'is on its way' });
    expect(data).toMatchObject({ notificationId: id, destinationPath: '/orders/7', deviceToken: token });
    expect(JSON.parse(data!.metadata!)).toEqual({ tab: 'map', order: 7, gift: true });
  }
  expect(await seen('apns', apple)).toHaveLength(1);
  expect(await fakes.received('apns')).toHaveLength(1);
  const { headers, payload } = (await fakes.messageTo('apns', apple))!;
  expect(headers).toMatchObject({ 'apns-push-type': 'alert', 'apns-priority': '10' });
  expect(payload).toMatchObject({
    aps: { alert: { title: 'Your order', body: 'is on its way' } },
    notificationId: id,
    destinationPath: '/orders/7',
    deviceToken: apple,
  });

  for (const deviceToken of [apple, apple, android]) {
    const opened = await calls.opened(app, { notificationId: id, deviceToken });
    expect([opened.status, opened.json]).toEqual([200, { success: true }]);
  }
  await system.settled();
  expect(await counts(id)).toMatchObject({ queued: 0, sent: 3, failed: 0, unknown: 0, opened: 2 });
});

once.it(
  'drops tokens that are dead, keeps the others, and takes a dead one back when its app registers it',
  async () => {
    const app = await makeSender();
    // The fakes treat the first token as dead and the second one as a token of another app.
    const [dead, stray, live] = [`unregistered-${fcmToken()}`, `stray-${fcmToken()}`, fcmToken()];
    for (const token of [dead, stray, live]) await register(app, token, 'android');
    const first = await send(app);
    await ended(first);
    const { notification, reasons } = await see(first);
    expect(notification.counts).toMatchObject({ sent: 1, failed: 1 + 1 });
    expect(reasons).toHaveLength(2);
    const targeted = async () =>
      (await system.manage(post(`/api/manage/apps/${app.app.id}/notifications/audience`, { target: { all: true } })))
        .json.targeted;
    expect(await targeted()).toBe(2);
    await register(app, dead, 'android');
    expect(await targeted()).toBe(3);
  },
);

it('is paused for an app whose credentials are refused, goes on for others, and loses nothing', async () => {
  const [app, other] = [await makeSender(), await makeSender()];
  const [mine, theirs] = [apnsToken(), apnsToken()];
  await register(app, mine);
  await register(other, theirs);
  await fakes.forgetAppleKeys();
  await setProvider(other, 'apns', await fakes.newAppleKey());
  const [waiting, going] = [await send(app), await send(other)];
  await ended(going);
  const paused = async () =>
    (await system.manage({ path: providersOf(app) })).json.providers.find(
      (one: { kind: string }) => one.kind === 'apns',
    );
  await expect.poll(async () => (await paused()).pausedAt, SOON).toEqual(expect.any(String));
  expect((await paused()).pauseReason).toContain('InvalidProviderToken');
  expect(await counts(waiting)).toMatchObject({ queued: 1, sent: 0, failed: 0 });
  expect((await fakes.received('apns')).filter(wasTaken).map(({ token }) => token)).toEqual([theirs]);

  await setProvider(app, 'apns', await fakes.newAppleKey());
  await ended(waiting);
  expect(await counts(waiting)).toMatchObject({ queued: 0, sent: 1 });
  expect((await seen('apns', mine)).filter(wasTaken)).toHaveLength(1);
});

once.it('is in the language of each device, or silent', async () => {
  const app = await makeSender();
  const [android, apple] = [fcmToken(), apnsToken()];
  await calls.register(app, { deviceToken: android, platform: 'android', language: 'de_AT.UTF-8' });
  await calls.register(app, { deviceToken: apple, platform: 'ios', language: 'en-GB' });
  const german = { title: 'Bestellung', body: 'ist unterwegs' };
  await ended(
    await send(app, { android: { channelId: 'orders' }, ios: { title: 'Order' }, localized: { de: german } }),
  );
  expect(await fakes.messageTo('fcm', android)).toMatchObject({
    notification: german,
    android: { notification: { channel_id: 'orders' } },
  });
  expect((await fakes.messageTo('apns', apple))!.payload).toMatchObject({
    aps: { alert: { title: 'Order', body: 'is on its way' } },
  });

  const silent = await send(app, { title: undefined, body: undefined, silent: true, metadata: { sync: 'inbox' } });
  await ended(silent);
  const message = (await fakes.messageTo('fcm', android))!;
  expect(message).not.toHaveProperty('notification');
  expect(message).toMatchObject({ data: { notificationId: silent, metadata: '{"sync":"inbox"}' } });
  const quiet = (await fakes.messageTo('apns', apple))!;
  expect(quiet.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
  expect(quiet.payload).toMatchObject({ aps: { 'content-available': 1 }, notificationId: silent });
});

it('is what it was edited to be, when its time has come', async () => {
  const app = await makeSender();
  const [ours, theirs] = [apnsToken(), fcmToken()];
  await register(app, ours, 'ios');
  await register(app, theirs, 'android');
  const later = (hours: number) => new Date(system.clock() + hours * 3_600_000).toISOString();
  const id = await send(app, { scheduleAt: later(1), target: { platform: 'android' }, sound: 'default' });
  const path = `/api/manage/notifications/${id}`;
  const read = await system.manage({ path });
  const edit = (body: object, ifMatch?: string) =>
    system.manage({ ...patch(path, body), ...(ifMatch && { headers: { 'if-match': ifMatch } }) });
  const edited = await edit(
    { title: 'Changed', sound: null, destinationPath: '/there', target: { platform: 'ios' }, scheduleAt: later(2) },
    read.headers.etag,
  );
  expect(edited.status, edited.text).toBe(200);
  expect(edited.json.notification).toMatchObject({ status: 'scheduled', targeted: 1, version: 2 });
  expect([(await edit({ title: 'Late' }, read.headers.etag)).json.code]).toEqual(['VERSION_MISMATCH']);
  expect((await edit({ titel: 'Misspelt' })).json.error).toContain('did you mean title?');
  system.clock.advance({ hours: 1 });
  expect((await see(id)).notification.status).toBe('scheduled');
  system.clock.advance({ hours: 1 });
  await ended(id);
  expect((await fakes.messageTo('apns', ours))!.payload).toMatchObject({
    aps: { alert: { title: 'Changed', body: 'is on its way' } },
    destinationPath: '/there',
  });
  expect(await seen('fcm', theirs)).toEqual([]);
  expect((await edit({ title: 'Too late' })).json.code).toBe('PUSH_BEGUN');
  const stop = await system.manage({ method: 'POST', path: `${path}/stop` });
  expect([stop.status, stop.json.code]).toEqual([409, 'PUSH_SENT']);
});

once.it(
  'says why somebody did not get it: of each device what became of it, and of a person also where it was not for them',
  async () => {
    const app = await makeSender();
    const [ann, ben] = ['ann@why.example', 'ben@why.example'];
    const [live, dead, apple, bens] = [fcmToken(), `unregistered-${fcmToken()}`, apnsToken(), fcmToken()];
    for (const token of [live, dead]) await register(app, token, 'android', ann);
    await register(app, bens, 'android', ben);
    const id = await send(app);
    await ended(id);
    system.clock.advance({ minutes: 1 });
    await register(app, apple, 'ios', ann);
    await register(app, live, 'android');
    await system.settled();

    const get = async (path: string) => {
      const answer = await system.manage({ path });
      expect(answer.status, answer.text).toBe(200);
      // No caller can read tokens.
      for (const token of [live, dead, apple, bens]) expect(answer.text).not.toContain(token);
      return answer.json;
    };
    const deliveries = (query: string) => get(`/api/manage/notifications/${id}/deliveries?${query}`);
    const all = await deliveries('');
    expect(all.deliveries.map(({ state }: { state: string }) => state).toSorted()).toEqual(['failed', 'sent', 'sent']);
    const failed = (await deliveries('state=failed')).deliveries;
    expect(failed).toMatchObject([{ reason: 'UNREGISTERED', attempts: 1, platform: 'android', kind: 'fcm' }]);
    expect(failed[0].explanation).toContain('the app was removed from the device');
    expect((await deliveries('state=sent')).deliveries).toHaveLength(2);
    const first = await deliveries('limit=2');
    const second = await deliveries(`limit=2&cursor=${first.next}`);
    expect([...first.deliveries, ...second.deliveries]).toEqual(all.deliveries);
    expect(second.next).toBe(null);

    const anns = (await deliveries(`userEmail=${ann.toUpperCase()}`)).deliveries;
    const states = Object.fromEntries(
      anns.map((one: { state: string; explanation: string }) => [one.state, one.explanation]),
    );
    expect(Object.keys(states).toSorted()).toEqual(['failed', 'none', 'sent']);
    expect(states.none).toContain('after the notification was sent');
    const one = await deliveries(`deviceId=${failed[0].deviceId}`);
    expect(one).toMatchObject({ deliveries: failed, explanation: null, next: null });
    const nobody = await deliveries('userEmail=nobody@why.example');
    expect(nobody).toMatchObject({ deliveries: [], explanation: expect.stringContaining('No device is known') });

    const devices = (email: string) => get(`/api/manage/apps/${app.app.id}/devices?userEmail=${email}`);
    const of = Object.fromEntries(
      (await devices(ann)).devices.map((device: { state: string }) => [device.state, device]),
    );
    expect(of.live).toMatchObject({ platform: 'ios', kind: 'apns', droppedAt: null });
    expect(of['signed-out']).toMatchObject({ explanation: expect.stringContaining('not signed in') });
    expect(of.dropped).toMatchObject({ dropReason: 'UNREGISTERED', explanation: expect.stringContaining('removed') });
    const anybodys = (await get(`/api/manage/apps/${app.app.id}/devices?limit=2`)) as {
      devices: object[];
      next: string;
    };
    const others = await get(`/api/manage/apps/${app.app.id}/devices?limit=2&cursor=${anybodys.next}`);
    expect([...anybodys.devices, ...others.devices]).toHaveLength(3);
  },
);

once.it('goes nowhere where the app wants none, until it registers again', async () => {
  const app = await makeSender();
  const token = fcmToken();
  await register(app, token, 'android', 'ann@gone.example');
  const unregister = async (deviceToken = token) => {
    const answer = await calls.unregister(app, { deviceToken });
    expect([answer.status, answer.json]).toEqual([200, { success: true }]);
    await system.settled();
  };
  const targeted = async () =>
    (await system.manage(post(`/api/manage/apps/${app.app.id}/notifications/audience`, { target: { all: true } }))).json
      .targeted;
  system.clock.advance({ minutes: 1 });
  await unregister();
  await unregister();
  await unregister(fcmToken());
  expect(await targeted()).toBe(0);
  const { devices } = (
    await system.manage({ path: `/api/manage/apps/${app.app.id}/devices?userEmail=ann@gone.example` })
  ).json;
  expect(devices).toMatchObject([{ state: 'dropped', dropReason: 'unregistered-by-app' }]);
  system.clock.advance({ minutes: 1 });
  await register(app, token, 'android');
  await system.settled();
  expect(await targeted()).toBe(1);
});
