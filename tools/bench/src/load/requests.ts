// Builds the requests as the clients send them.

import type { Site } from '../product/site.ts';
import type { Ask } from './load.ts';

type Link = Site['links'][number];

const SDK = 'openlynk-flutter-sdk/0.1.0';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

let numbers = 0;
/** Returns a value that no other request of this run contains. */
const unique = (): string => `bench-${numbers++}`;

/** The request as in the specification: without a key. */
export const getBySlug = (site: Site, { id, slug }: Link, address: string): Ask => ({
  request: {
    method: 'GET',
    path: `/api/links/get-by-slug?slug=${slug}&appId=${site.appId}`,
    headers: sdkHeaders(site, address),
  },
  status: 200,
  contains: `{"success":true,"link":{"id":"${id}"`,
});

/** The request as the SDKs send it: with the key. With the key, the product reports that the link was opened. */
export function openLink(site: Site, link: Link, address: string): Ask {
  const { request, ...expected } = getBySlug(site, link, address);
  return { request: { ...request, headers: keyHeaders(site, address) }, ...expected };
}

export function create(site: Site, address: string): Ask {
  const destination = `/invite/${unique()}?code=summer`;
  const body = { destination, metadata: { title: 'An invitation', utm_source: 'bench', utm_campaign: 'summer' } };
  return post(site, '/api/links/create-sdk', address, body, `"destination":"${destination}"`);
}

/** A tap on a link by a person on an Android phone. The response redirects to Play. */
export const tap = (site: Site, { slug }: Link, address: string): Ask => ({
  request: {
    method: 'GET',
    path: `/${slug}`,
    headers: {
      host: site.linkHost,
      'user-agent': ANDROID,
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language': 'en-GB,en;q=0.9',
      'accept-encoding': 'gzip, deflate, br',
      'x-forwarded-for': address,
    },
  },
  status: 302,
  contains: 'https://play.google.com/store/apps/details?id=com.example.bench&referrer=',
});

/** The restore request that an app sends at its first start on a phone. */
export const restore = (site: Site, address: string, count: 0 | 1): Ask =>
  post(
    site,
    '/api/deferred-deep-linking/restore',
    address,
    { appId: site.appId, deviceFingerprint: unique() },
    `"count":${count},"message":"Restored ${count} pending links"`,
  );

export const heartbeat = (site: Site, address: string): Ask =>
  post(
    site,
    '/api/deferred-deep-linking/install-heartbeat',
    address,
    { appId: site.appId, deviceFingerprint: unique() },
    '{"success":true,"isFirstLaunch":true}',
  );

export const register = (site: Site, address: string): Ask => {
  const body = { appId: site.appId, deviceToken: `${unique()}:${'a'.repeat(140)}`, platform: 'android' };
  return post(
    site,
    '/api/push/register',
    address,
    { ...body, userEmail: `${unique()}@example.com` },
    '{"success":true}',
  );
};

/** @param deviceToken token of a device that received the notification */
export const opened = (site: Site, notificationId: string, deviceToken: string, address: string): Ask =>
  post(site, '/api/push/opened', address, { notificationId, deviceToken }, '{"success":true}');

const post = (site: Site, path: string, address: string, body: object, contains: string): Ask => ({
  request: {
    method: 'POST',
    path,
    headers: { ...keyHeaders(site, address), 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  },
  status: 200,
  contains,
});

const sdkHeaders = ({ product }: Site, address: string) => ({
  host: `localhost:${product.port}`,
  'user-agent': SDK,
  'accept-encoding': 'gzip',
  'x-forwarded-for': address,
});

const keyHeaders = (site: Site, address: string) => ({
  ...sdkHeaders(site, address),
  'x-service-sdk-key': site.key,
});
