// A few phones that tap made-up links, install the app and start it, over the routes of SDKs: so the pages of restores,
// devices and pushes have rows of every kind. They are real calls, and stay when the made-up events are removed.
import { randomBytes, randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { App } from '@landfall/api-client';
import { StartError } from '@landfall/runtime';
import { type Api, got } from '../manage/api.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

interface Phone {
  platform: 'android' | 'ios';
  /** True when its person taps a link before the install. */
  taps: boolean;
  /** True when the first start is in another network than the tap. */
  moves?: boolean;
  /** True when the app passes the install referrer on. */
  referrer?: boolean;
  user?: string;
}

const PHONES: readonly Phone[] = [
  { platform: 'android', taps: true, referrer: true, user: 'ana@example.com' },
  { platform: 'android', taps: true, user: 'kim@example.com' },
  { platform: 'ios', taps: true, user: 'ravi@example.com' },
  { platform: 'ios', taps: true, moves: true },
  { platform: 'android', taps: true, moves: true, user: 'lena@example.com' },
  { platform: 'ios', taps: false },
  { platform: 'android', taps: false, user: 'omar@example.com' },
];

/** Made for measurements, so that nobody has such an address. */
const anAddress = () => `198.18.${randomBytes(1)[0]}.${1 + (randomBytes(1)[0]! % 254)}`;

/** The gateway must believe `X-Forwarded-For` of this machine, or all have one address. */
export async function playPhones(api: Api, url: string, app: App): Promise<void> {
  const path = { appId: app.id };
  const { links } = await got(api.GET('/api/manage/apps/{appId}/links', { params: { path, query: { limit: 100 } } }));
  const named = links.filter(({ name }) => name !== null);
  const body = { kind: 'mobile', label: 'Made-up phones' } as const;
  const { key, plaintext } = await got(api.POST('/api/manage/apps/{appId}/keys', { params: { path }, body }));
  for (const [at, phone] of PHONES.entries()) {
    const link = named[(at * 7) % Math.max(1, named.length)];
    await play(phone, { url, host: app.linkHost, slug: phone.taps ? link?.slug : undefined, key: plaintext });
  }
  // Nobody may go on with the key.
  await got(api.DELETE('/api/manage/apps/{appId}/keys/{keyId}', { params: { path: { ...path, keyId: key.id } } }));
  await got(
    api.POST('/api/push/send', {
      body: {
        appId: app.id,
        target: { all: true },
        title: 'Your order is on its way',
        body: 'It arrives on Tuesday.',
        destinationPath: '/orders/1001',
      },
    }),
  );
}

interface Played {
  url: string;
  host: string;
  slug: string | undefined;
  key: string;
}

async function play({ platform, moves = false, referrer = false, user }: Phone, { url, host, slug, key }: Played) {
  const isAndroid = platform === 'android';
  const home = { 'x-forwarded-for': anAddress(), 'user-agent': isAndroid ? ANDROID : IPHONE };
  const tapped = slug === undefined ? undefined : await ask(`${url}/${slug}`, { headers: { ...home, host } });
  const installReferrer = referrer ? referrerIn(tapped?.location) : undefined;
  const sdk = {
    'x-service-sdk-key': key,
    'x-forwarded-for': moves ? anAddress() : home['x-forwarded-for'],
    'x-landfall-client': isAndroid ? 'landfall-android/0.1.0' : 'landfall-swift/0.1.0',
  };
  const call = (path: string, body: object) => ask(url + path, { method: 'POST', headers: sdk, body });
  const who = { deviceFingerprint: randomUUID(), platform, installedSecondsAgo: 0, ...(user && { userEmail: user }) };
  const facts = isAndroid ? { model: 'Pixel 9', osVersion: '15', language: 'en-GB' } : { language: 'en-GB' };
  await call('/api/deferred-deep-linking/install-heartbeat', { ...who, ...facts });
  await call('/api/deferred-deep-linking/restore', { ...who, ...facts, ...(installReferrer && { installReferrer }) });
  if (user === undefined) return;
  const deviceToken = isAndroid ? `demo:${randomBytes(60).toString('base64url')}` : randomBytes(32).toString('hex');
  await call('/api/push/register', { deviceToken, platform, userEmail: user, language: 'en-GB' });
}

const referrerIn = (location: string | undefined): string | undefined =>
  location === undefined ? undefined : (new URL(location).searchParams.get('referrer') ?? undefined);

interface Asked {
  method?: string;
  headers: Record<string, string>;
  body?: object;
}

/** A link host may have no record in DNS: `fetch` would not let it be named in a header. */
function ask(url: string, { method = 'GET', headers, body }: Asked): Promise<{ location: string | undefined }> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(15_000),
    });
    sent.once('response', (answer) => {
      answer.resume();
      const status = answer.statusCode ?? 0;
      if (status >= 400) reject(new StartError(`${url} answered ${status} to a made-up phone.`));
      else answer.once('end', () => resolve({ location: answer.headers.location }));
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
