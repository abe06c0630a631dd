// A few phones that tap made-up links, install the app and start it, over the routes of SDKs: so the pages of restores,
// devices and pushes have rows of every kind. They are real calls, and stay when the made-up events are removed.
import { randomBytes, randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { App } from '@landfall/api-client';
import { StartError } from '@landfall/runtime';
import { type Api, got } from '../manage/api.ts';

/** How a phone comes to its first start: by a link with or without the install referrer, from another network, or by no link. */
type Way = 'referrer' | 'here' | 'moved' | 'none';
type Phone = readonly [Platform, Way, language: string, user?: string];
type Platform = 'android' | 'ios';

const PHONES: readonly Phone[] = [
  ['android', 'referrer', 'es-ES', 'ana@example.com'],
  ['android', 'here', 'en-GB', 'kim@example.com'],
  ['ios', 'here', 'hi-IN', 'ravi@example.com'],
  ['ios', 'moved', 'en-US'],
  ['android', 'moved', 'de-DE', 'lena@example.com'],
  ['ios', 'none', 'fr-FR'],
  ['android', 'none', 'ar-EG', 'omar@example.com'],
  ['ios', 'here', 'ja-JP', 'yuki@example.com'],
  ['android', 'referrer', 'pt-BR', 'joao.pedro@example.com'],
  ['ios', 'here', 'en-US', 'maya@example.com'],
  ['android', 'referrer', 'id-ID', 'putri@example.com'],
  ['android', 'here', 'ne-NP'],
  ['ios', 'here', 'de-AT', 'jonas@example.com'],
  ['android', 'referrer', 'es-MX', 'ximena@example.com'],
  ['ios', 'none', 'en-CA', 'liam@example.com'],
  ['android', 'referrer', 'hi-IN', 'priya@example.com'],
  ['ios', 'here', 'fr-CA', 'chloe@example.com'],
  ['android', 'here', 'pl-PL', 'zofia@example.com'],
  ['android', 'referrer', 'tr-TR'],
  ['ios', 'here', 'pt-BR', 'bia@example.com'],
  ['android', 'moved', 'ta-IN', 'arun@example.com'],
  ['ios', 'here', 'es-ES', 'nuria@example.com'],
  ['android', 'referrer', 'en-US', 'noah@example.com'],
  ['android', 'here', 'fr-FR'],
];

const MODELS = ['Pixel 9', 'SM-S931B', 'SM-A556B', '2410DPN6CC'] as const;
const browserOf = (platform: Platform, model: string): string =>
  platform === 'android'
    ? `Mozilla/5.0 (Linux; Android 15; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36`
    : 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

/** Made for measurements, so that nobody has such an address. */
const anAddress = () => `198.18.${randomBytes(1)[0]}.${1 + (randomBytes(1)[0]! % 254)}`;

/**
 * The gateway must believe `X-Forwarded-For` of this machine. Else all phones have one address, and those over its rate
 * limits are left out.
 * @param slugs the links that are tapped
 */
export async function playPhones(api: Api, url: string, app: App, slugs: readonly string[]): Promise<void> {
  const path = { appId: app.id };
  const body = { kind: 'mobile', label: 'Made-up phones' } as const;
  const { key, plaintext } = await got(api.POST('/api/manage/apps/{appId}/keys', { params: { path }, body }));
  const at = { url, host: app.linkHost, key: plaintext };
  await Promise.all(
    PHONES.map((phone, n) => play(phone, { ...at, slug: slugs[(n * 7) % slugs.length]!, model: MODELS[n % 4]! })),
  );
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
  slug: string;
  key: string;
  model: string;
}

async function play([platform, way, language, user]: Phone, { url, host, slug, key, model }: Played) {
  const isAndroid = platform === 'android';
  const home = { 'x-forwarded-for': anAddress(), 'user-agent': browserOf(platform, model) };
  const tapped = way === 'none' ? undefined : await ask(`${url}/${slug}`, { headers: { ...home, host } });
  const installReferrer = way === 'referrer' ? referrerIn(tapped?.location) : undefined;
  const sdk = {
    'x-service-sdk-key': key,
    'x-forwarded-for': way === 'moved' ? anAddress() : home['x-forwarded-for'],
    'x-landfall-client': isAndroid ? 'landfall-android/0.1.0' : 'swift/0.1.0',
  };
  const call = (path: string, body: object) => ask(url + path, { method: 'POST', headers: sdk, body });
  const who = { deviceFingerprint: randomUUID(), platform, installedSecondsAgo: 0, ...(user && { userEmail: user }) };
  const facts = isAndroid ? { model, osVersion: '15', language } : { language };
  await call('/api/deferred-deep-linking/install-heartbeat', { ...who, ...facts });
  await call('/api/deferred-deep-linking/restore', { ...who, ...facts, ...(installReferrer && { installReferrer }) });
  const deviceToken = isAndroid ? `demo:${randomBytes(60).toString('base64url')}` : randomBytes(32).toString('hex');
  await call('/api/push/register', { deviceToken, platform, language, ...(user && { userEmail: user }) });
}

const referrerIn = (location: string | undefined): string | undefined =>
  location === undefined ? undefined : (new URL(location).searchParams.get('referrer') ?? undefined);

/** A limit is reached, or the product is busy: the call of this phone is missing. */
const LEFT_OUT: readonly number[] = [429, 503];

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
      if (status >= 400 && !LEFT_OUT.includes(status))
        reject(new StartError(`${url} answered ${status} to a made-up phone.`));
      else answer.once('end', () => resolve({ location: answer.headers.location }));
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
