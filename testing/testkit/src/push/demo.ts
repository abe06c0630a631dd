// `npm run demo:push`: a push from its sender to four phones, without an account at Google or Apple. The product runs as
// `npm start` runs it, in a folder that is deleted afterwards, and servers of ours stand in for theirs.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Product, withProduct } from '../system/product-process.ts';
import { type FakesApart, startFakesApart } from './fakes.ts';
import { wasTaken } from './received.ts';

const SENT_MS = 30_000;

/** Firebase gives tokens to iPhones, too. */
const fcmToken = (word = '') =>
  `${word}${randomBytes(11).toString('hex')}:APA91b${randomBytes(60).toString('base64url')}`;
const phones = [
  { name: 'an Android phone', platform: 'android', kind: 'fcm', token: fcmToken(), userEmail: 'ann@example.com' },
  { name: 'an iPhone whose app has Firebase', platform: 'ios', kind: 'fcm', token: fcmToken() },
  {
    name: 'an iPhone whose app has none',
    platform: 'ios',
    kind: 'apns',
    token: `a1${randomBytes(31).toString('hex')}`,
  },
  { name: 'a phone that has deleted the app', platform: 'android', kind: 'fcm', token: fcmToken('unregistered-') },
] as const;

const say = (line = '') => console.log(line);

const fakes = await startFakesApart();
const settings = { FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA_FILE: fakes.caFile };
try {
  await withProduct({ LOG_LEVEL: 'warn', ...settings }, (product) => show(product, fakes));
} catch (error) {
  process.exitCode = 1;
  console.error((error as Error).message);
} finally {
  await fakes.close();
}

async function show(
  { url, ownerToken, demoKey }: Product,
  { serviceAccount, appleKey, messageTo, received }: FakesApart,
): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: what comes is looked into at once
  async function call(method: string, where: string, body?: object, bearer = ownerToken): Promise<any> {
    const answer = await fetch(url + where, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${where} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  const { apps } = await call('GET', '/api/manage/apps');
  const appId: string = apps[0].id;
  say(`Landfall runs at ${url}, with an app. It is given credentials for Firebase and for Apple:`);
  for (const [kind, credentials] of Object.entries({ fcm: serviceAccount, apns: appleKey })) {
    const { checked } = await call('PUT', `/api/manage/apps/${appId}/push-providers/${kind}`, credentials);
    say(
      `  PUT /api/manage/apps/…/push-providers/${kind}  ${checked ? 'the server took them' : 'nobody could be asked'}`,
    );
  }

  say('\nPhones register, as the SDK does:');
  for (const { name, platform, token, ...more } of phones) {
    const userEmail = 'userEmail' in more ? { userEmail: more.userEmail } : {};
    await call('POST', '/api/push/register', { deviceToken: token, platform, ...userEmail }, demoKey);
    say(`  POST /api/push/register  ${name}`);
  }

  const message = { title: 'Your order is here', body: 'Open it', destinationPath: '/orders/7?from=push' };
  const sent = await call('POST', '/api/push/send', { appId, ...message, target: { all: true } });
  say(`\nA push to all of them:\n  POST /api/push/send  ${sent.targeted} devices, notification ${sent.notificationId}`);
  const where = `/api/manage/notifications/${sent.notificationId}`;
  for (const until = Date.now() + SENT_MS; ; await delay(100)) {
    if ((await call('GET', where)).notification.status === 'sent') break;
    if (Date.now() > until) throw new Error(`it was not sent within ${SENT_MS / 1e3} s`);
  }
  for (const { name, kind, token } of phones) {
    const seen = (await received(kind)).find((one) => one.token === token);
    const got = kind === 'fcm' ? (await messageTo('fcm', token))?.data : (await messageTo('apns', token))?.payload;
    const taken = seen !== undefined && wasTaken(seen);
    say(`  ${name}: ${taken ? JSON.stringify(got).replaceAll(token, '<its token>') : 'nothing, its token is dead'}`);
  }

  say('\nTwo of them open it, one of them twice:');
  for (const { token, name } of [phones[0], phones[2], phones[2]]) {
    await call('POST', '/api/push/opened', { notificationId: sent.notificationId, deviceToken: token }, demoKey);
    say(`  POST /api/push/opened  ${name}`);
  }
  const { notification, reasons } = await call('GET', where);
  say(`\nWhat became of it:\n  GET ${where}`);
  say(`  ${JSON.stringify(notification.counts)}, failed for: ${JSON.stringify(reasons)}`);
  const audience = `/api/manage/apps/${appId}/notifications/audience`;
  const { targeted } = await call('POST', audience, { target: { all: true } });
  say(`\nThe token of the app that is gone was dropped: the next push goes to ${targeted} devices.`);
}
