import { PushMessage } from '@landfall/contracts';
import { describe, expect, test } from 'vitest';
import * as values from '../values.testing.ts';
import { renderApns } from './render/render-apns.ts';
import { renderData } from './render/render-data.ts';
import { renderFcm } from './render/render-fcm.ts';
import { bytesOf, fits, SIZE_LIMIT, sizeOf } from './render/size.ts';

const NOW = new Date('2026-11-21T15:04:05.000Z');
const plain: PushMessage = {
  ...values.message,
  title: 'Sale',
  body: 'Half price today',
  destinationPath: '/offers/today?utm_source=push&color=red#top',
  metadata: { color: 'blue', count: 3, vip: true },
};
const full: PushMessage = {
  ...plain,
  imageUrl: 'https://example.com/a.png',
  sound: 'default',
  badge: 4,
  collapseKey: 'sale',
};
const push = (message: PushMessage = plain, more: object = {}) => ({
  id: '00000000-0000-5000-8000-000000000001',
  notificationId: '00000000-0000-4000-8000-000000000002',
  token: 'a-token',
  message,
  expiresAt: new Date('2026-11-22T15:04:05.000Z'),
  platform: 'ios' as const,
  language: null,
  ...more,
});

describe('the data', () => {
  test('has all that the SDK reads, as strings; the query moves into the metadata, not over the keys of the caller', () => {
    const data = renderData(push());
    expect(data).toEqual({
      notificationId: '00000000-0000-4000-8000-000000000002',
      destinationPath: '/offers/today',
      metadata: expect.any(String),
      deviceToken: 'a-token',
    });
    expect(JSON.parse(data.metadata)).toEqual({ utm_source: 'push', color: 'blue', count: 3, vip: true });
  });

  test.each([
    [null, '/', {}],
    ['/', '/', {}],
    ['/a#b?c=d', '/a', {}],
    ['/a?c=1&c=2', '/a', { c: '2' }],
    ['/a?', '/a', {}],
  ])('of %s', (destinationPath, path, metadata) => {
    const data = renderData(push({ ...plain, destinationPath, metadata: {} }));
    expect(data.destinationPath).toBe(path);
    expect(JSON.parse(data.metadata)).toEqual(metadata);
  });

  test('a key named __proto__ is a key', () => {
    const { metadata } = renderData(push({ ...plain, destinationPath: '/a?__proto__=x', metadata: {} }));
    expect(metadata).toBe('{"__proto__":"x"}');
  });
});

describe('for Firebase', () => {
  test('the least', () => {
    expect(renderFcm(push(), NOW)).toEqual({
      token: 'a-token',
      notification: { title: 'Sale', body: 'Half price today' },
      data: renderData(push()),
      android: { priority: 'high', ttl: 86_400_000, notification: { tag: push().notificationId } },
      apns: {
        headers: {
          'apns-push-type': 'alert',
          'apns-priority': '10',
          'apns-expiration': String(push().expiresAt.getTime() / 1000),
          'apns-collapse-id': push().notificationId,
        },
        payload: { aps: {} },
      },
    });
  });

  test('everything', () => {
    expect(renderFcm(push(full), NOW)).toMatchObject({
      notification: { imageUrl: full.imageUrl },
      android: { collapseKey: 'sale', notification: { tag: 'sale', sound: 'default', notificationCount: 4 } },
      apns: {
        headers: { 'apns-collapse-id': 'sale' },
        payload: { aps: { sound: 'default', badge: 4, 'mutable-content': 1 } },
        fcmOptions: { imageUrl: full.imageUrl },
      },
    });
  });

  test('a badge of 0 takes it away on iPhones; what has expired is for now or never; nothing is kept for longer than 28 days', () => {
    const none = renderFcm(push({ ...plain, badge: 0 }, { expiresAt: NOW }), NOW);
    expect(none.apns?.payload?.aps).toEqual({ badge: 0 });
    expect(none.android?.notification).not.toHaveProperty('notificationCount');
    expect(none.android?.ttl).toBe(0);
    expect(none.apns?.headers?.['apns-expiration']).toBe('0');
    const far = renderFcm(push(plain, { expiresAt: new Date('2027-11-21T15:04:05.000Z') }), NOW);
    expect(far.android?.ttl).toBe(28 * 86_400_000);
  });
});

describe('for Apple', () => {
  test('the least', () => {
    expect(renderApns(push(), 'com.example.shop', NOW)).toEqual({
      id: push().id,
      topic: 'com.example.shop',
      pushType: 'alert',
      priority: 10,
      expiry: push().expiresAt.getTime() / 1000,
      collapseId: push().notificationId,
      rawPayload: { aps: { alert: { title: 'Sale', body: 'Half price today' } }, ...renderData(push()) },
    });
  });

  test('everything', () => {
    expect(renderApns(push(full), 'com.example.shop', NOW)).toMatchObject({
      collapseId: 'sale',
      rawPayload: { aps: { sound: 'default', badge: 4, 'mutable-content': 1 }, imageUrl: full.imageUrl },
    });
  });
});

describe('of what a product team wants', () => {
  const message: PushMessage = {
    ...plain,
    sound: 'default',
    category: 'invite',
    priority: 'normal',
    ios: { title: 'Tap', interruptionLevel: 'time-sensitive', badge: 2, mutableContent: true },
    android: { title: 'Press', channelId: 'offers', sound: 'bell', priority: 'high' },
    localized: { de: { title: 'Angebot', body: 'Heute' } },
  };

  test('an iPhone gets its own, through Apple and through Firebase', () => {
    const { pushType, priority, rawPayload } = renderApns(push(message), 'com.example.shop', NOW);
    expect({ pushType, priority }).toEqual({ pushType: 'alert', priority: 5 });
    const aps = {
      sound: 'default',
      badge: 2,
      category: 'invite',
      'interruption-level': 'time-sensitive',
      'mutable-content': 1,
    };
    expect(rawPayload.aps).toEqual({ alert: { title: 'Tap', body: plain.body }, ...aps });
    const fcm = renderFcm(push(message), NOW);
    expect(fcm.notification).toEqual({ title: 'Tap', body: plain.body });
    expect(fcm.apns?.payload?.aps).toEqual(aps);
    expect(fcm.apns?.headers).toMatchObject({ 'apns-push-type': 'alert', 'apns-priority': '5' });
  });

  test('Android gets its own', () => {
    const { notification, android } = renderFcm(push(message, { platform: 'android' }), NOW);
    expect(notification).toEqual({ title: 'Press', body: plain.body });
    expect(android).toMatchObject({ priority: 'high', notification: { channelId: 'offers', sound: 'bell' } });
  });

  test('a device gets the texts of its language, on either platform', () => {
    for (const platform of ['ios', 'android'] as const) {
      const { notification } = renderFcm(push(message, { platform, language: 'de-AT' }), NOW);
      expect(notification).toEqual({ title: 'Angebot', body: 'Heute' });
    }
    const { aps } = renderApns(push(message, { language: 'de' }), 'com.example.shop', NOW).rawPayload;
    expect(aps.alert).toEqual({ title: 'Angebot', body: 'Heute' });
  });

  test('what is silent has its data, and nothing to be seen or heard', () => {
    const silent = push({
      ...message,
      imageUrl: full.imageUrl,
      collapseKey: 'sale',
      silent: true,
      priority: null,
      ios: { badge: 3, sound: 'bell' },
      android: null,
    });
    const { pushType, priority, rawPayload } = renderApns(silent, 'com.example.shop', NOW);
    expect({ pushType, priority }).toEqual({ pushType: 'background', priority: 5 });
    expect(rawPayload).toEqual({ aps: { 'content-available': 1 }, ...renderData(silent) });
    const fcm = renderFcm(silent, NOW);
    expect(fcm).toEqual({
      token: 'a-token',
      data: renderData(silent),
      android: { priority: 'normal', ttl: 86_400_000, collapseKey: 'sale' },
      apns: {
        headers: expect.objectContaining({ 'apns-push-type': 'background', 'apns-priority': '5' }),
        payload: { aps: { 'content-available': 1 } },
      },
    });
  });

  test('Android may be woken for what is silent, an iPhone never', () => {
    const fcm = renderFcm(push({ ...plain, silent: true, priority: 'high' }, { platform: 'android' }), NOW);
    expect(fcm.android?.priority).toBe('high');
    expect(fcm.apns?.headers?.['apns-priority']).toBe('5');
  });

  test('each language and platform counts for the size by itself, the largest first', () => {
    const [largest, ...others] = sizeOf({
      ...message,
      localized: { ...message.localized, fi: { body: 'x'.repeat(3_500) } },
    });
    expect(largest).toMatchObject({ platform: 'ios', language: 'fi' });
    expect(largest!.bytes).toBeGreaterThan(3_500);
    expect(others.filter(({ bytes }) => bytes > 3_500)).toHaveLength(2);
    expect(others).toHaveLength(8);
  });
});

describe('the size', () => {
  test('is that of the longest token, and grows with every byte', () => {
    const sizes = sizeOf(plain);
    expect(sizes.map(({ kind, platform, language, limit }) => [kind, platform, language, limit])).toEqual([
      ['fcm', 'ios', null, SIZE_LIMIT],
      ['fcm', 'android', null, SIZE_LIMIT],
      ['apns', 'ios', null, SIZE_LIMIT],
    ]);
    const larger = sizeOf({ ...plain, body: `${plain.body}ß` });
    for (const [at, { bytes }] of sizes.entries()) expect(larger[at]!.bytes).toBe(bytes + 2);
  });

  test('of Apple is the payload to the byte', () => {
    const rendered = push(full, { token: '0'.repeat(64) });
    const payload = JSON.stringify(renderApns(rendered, 'com.example.shop', NOW).rawPayload);
    expect(bytesOf('apns', rendered)).toBe(Buffer.byteLength(payload));
  });

  test('counts to the last byte, and with the token as it is', () => {
    const body = (length: number) => ({ ...plain, body: 'x'.repeat(length) });
    for (const kind of ['fcm', 'apns'] as const) {
      const token = 'x'.repeat(kind === 'fcm' ? 256 : 200);
      const room = SIZE_LIMIT - bytesOf(kind, push(body(1), { token })) + 1;
      for (const times of [1, 2]) {
        const last = body(room);
        expect([times, fits(kind, push(last, { token }))]).toEqual([times, true]);
        expect([times, fits(kind, push(last, { token: `${token}x` }))]).toEqual([times, false]);
        const over = body(room + 1);
        expect([times, fits(kind, push(over, { token }))]).toEqual([times, false]);
        expect([times, fits(kind, push(over, { token: token.slice(1) }))]).toEqual([times, true]);
      }
    }
  });

  test('may be all that the contract allows, or too much', () => {
    const most = PushMessage.parse({ ...full, title: 'ü'.repeat(500), body: '界'.repeat(3_000) });
    for (const { bytes } of sizeOf(most)) expect(bytes).toBeGreaterThan(SIZE_LIMIT);
    for (const { bytes } of sizeOf(plain)) expect(bytes).toBeLessThan(1_000);
  });
});
