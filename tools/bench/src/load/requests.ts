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
  request: text(`GET /api/links/get-by-slug?slug=${slug}&appId=${site.appId} HTTP/1.1`, sdkHeaders(site, address)),
  status: 200,
  contains: `{"success":true,"link":{"id":"${id}"`,
});

/** The request as the SDKs send it: with the key. With the key, the product reports that the link was opened. */
export const openLink = (site: Site, { id, slug }: Link, address: string): Ask => ({
  request: text(`GET /api/links/get-by-slug?slug=${slug}&appId=${site.appId} HTTP/1.1`, [
    ...sdkHeaders(site, address),
    keyHeader(site),
  ]),
  status: 200,
  contains: `{"success":true,"link":{"id":"${id}"`,
});

export function create(site: Site, address: string): Ask {
  const destination = `/invite/${unique()}?code=summer`;
  const body = { destination, metadata: { title: 'An invitation', utm_source: 'bench', utm_campaign: 'summer' } };
  return post(site, '/api/links/create-sdk', address, body, `"destination":"${destination}"`);
}

/** A tap on a link by a person on an Android phone. The response redirects to Play. */
export const tap = (site: Site, { slug }: Link, address: string): Ask => ({
  request: text(`GET /${slug} HTTP/1.1`, [
    `Host: ${site.linkHost}`,
    `User-Agent: ${ANDROID}`,
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language: en-GB,en;q=0.9',
    'Accept-Encoding: gzip, deflate, br',
    `X-Forwarded-For: ${address}`,
  ]),
  status: 302,
  contains: 'Location: https://play.google.com/store/apps/details?id=com.example.bench&referrer=',
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

function post(site: Site, path: string, address: string, body: object, contains: string): Ask {
  const json = JSON.stringify(body);
  const request = text(
    `POST ${path} HTTP/1.1`,
    [
      ...sdkHeaders(site, address),
      keyHeader(site),
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${json.length}`,
    ],
    json,
  );
  return { request, status: 200, contains };
}

const sdkHeaders = ({ product }: Site, address: string): string[] => [
  `Host: localhost:${product.port}`,
  `User-Agent: ${SDK}`,
  'Accept-Encoding: gzip',
  `X-Forwarded-For: ${address}`,
];

const keyHeader = ({ key }: Site): string => `x-service-sdk-key: ${key}`;

const text = (line: string, headers: readonly string[], body = ''): string =>
  `${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
