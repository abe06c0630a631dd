// `npm run demo:push`: a push from its sender to four phones, without an account at Google or Apple. The product runs as
// `npm start` runs it, in a folder that is deleted afterwards, and servers of ours stand in for theirs.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@landfall/local';
import { type FakesApart, startFakesApart } from './fakes.ts';
import { wasTaken } from './received.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const START_MS = 60_000;
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

const folder = mkdtempSync(path.join(tmpdir(), 'landfall-demo-'));
// PostgreSQL runs as another user when we run as root.
chmodSync(folder, 0o755);
let fakes: FakesApart | undefined;
let product: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => product?.kill());
try {
  fakes = await startFakesApart();
  const [port = 0] = await freePorts(1);
  product = await startProduct(port, fakes);
  await show(`http://localhost:${port}`, fakes);
} catch (error) {
  process.exitCode = 1;
  console.error((error as Error).message);
} finally {
  if (product && product.exitCode === null) {
    const ended = once(product, 'exit');
    product.kill();
    await ended;
  }
  await fakes?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function startProduct(port: number, { fcmUrl, apnsUrl, caFile }: FakesApart): Promise<ChildProcess> {
  const env = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    LINK_DOMAIN: `localhost:${port}`,
    LANDFALL_DATA: folder,
    LOG_LEVEL: 'warn',
    FCM_URL: fcmUrl,
    APNS_URL: apnsUrl,
    PUSH_CA_FILE: caFile,
  };
  const program = ['--max-semi-space-size=16', 'apps/standalone/src/main.ts'];
  const child = spawn(process.execPath, program, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for (const until = Date.now() + START_MS; !said.includes('Landfall is running'); await delay(50)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`Landfall did not start: ${said.trim()}`);
  }
  return child;
}

async function show(url: string, { serviceAccount, appleKey, messageTo, received }: FakesApart): Promise<void> {
  const [owner, key] = ['owner-token', 'demo-key'].map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  // biome-ignore lint/suspicious/noExplicitAny: what comes is looked into at once
  async function call(method: string, where: string, body?: object, bearer = owner): Promise<any> {
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
    await call('POST', '/api/push/register', { deviceToken: token, platform, ...userEmail }, key);
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
    await call('POST', '/api/push/opened', { notificationId: sent.notificationId, deviceToken: token }, key);
    say(`  POST /api/push/opened  ${name}`);
  }
  const { notification, reasons } = await call('GET', where);
  say(`\nWhat became of it:\n  GET ${where}`);
  say(`  ${JSON.stringify(notification.counts)}, failed for: ${JSON.stringify(reasons)}`);
  const audience = `/api/manage/apps/${appId}/notifications/audience`;
  const { targeted } = await call('POST', audience, { target: { all: true } });
  say(`\nThe token of the app that is gone was dropped: the next push goes to ${targeted} devices.`);
}
