// Tests node-apn against a server that speaks Apple's protocol over TLS.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type ApnsCredentials, parsePushCredentials } from '@landfall/runtime';
import {
  type ApnsOptions,
  type Fakes,
  makeAppleKey,
  makeAuthority,
  startFakeApns,
  startFakes,
  wasTaken,
} from '@landfall/testkit/push';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PushOutcome } from '../domain/outcome.ts';
import { createApnsProvider } from './apns.ts';
import type { Push, PushProvider } from './provider.ts';
import { message, pushTo, tokenFor } from './test-push.ts';

const tokenOf = (name: string) => tokenFor('apns', name);
const push = (name: string, more?: Partial<Push>) => pushTo('apns', name, more);
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
/** Returns pushes, each to another device. */
const pushes = (count: number): Push[] =>
  Array.from({ length: count }, (_, i) => push(`a${i.toString(16).padStart(8, '0')}`, { id: idOf(i) }));

let fakes: Fakes;
const open: PushProvider[] = [];

beforeAll(async () => {
  fakes = await startFakes();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
  const plain = { behave: undefined, latencyMs: 0, retryAfterSeconds: undefined, goneSince: undefined, aheadMs: 0 };
  fakes.apns.change(plain as unknown as ApnsOptions);
  fakes.apns.received.clear();
});
afterAll(() => fakes.close());

function providerOf(
  file: object = fakes.apns.key(),
  options: { url?: string; ca?: string; timeoutMs?: number } = {},
): PushProvider {
  const { credentials } = parsePushCredentials('apns', file);
  const { url = fakes.apns.url, ca = fakes.ca, timeoutMs = 5_000 } = options;
  const server = { host: '127.0.0.1', port: Number(new URL(url).port), ca };
  const provider = createApnsProvider(credentials as ApnsCredentials, { connect: server, timeoutMs });
  open.push(provider);
  return provider;
}
const countOf = (outcomes: PushOutcome[]) => {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

test('a push arrives as it was rendered', async () => {
  expect(await providerOf().send(push('a'))).toEqual({ kind: 'sent', providerId: idOf(1), logged: false });
  const { headers, payload } = fakes.apns.messageTo(tokenOf('a'))!;
  expect(headers).toMatchObject({
    'apns-id': idOf(1),
    'apns-topic': 'com.example.shop',
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-collapse-id': 'sale',
    'apns-expiration': expect.stringMatching(/^\d{10}$/),
  });
  expect(payload).toEqual({
    aps: { alert: { title: 'Sale', body: 'Half price today' }, sound: 'default', badge: 1, 'mutable-content': 1 },
    imageUrl: 'https://example.com/a.png',
    notificationId: '00000000-0000-4000-8000-000000000002',
    destinationPath: '/offers/today',
    metadata: '{"utm_source":"push","color":"blue"}',
    deviceToken: tokenOf('a'),
  });
});

test.each([
  ['bad', null, { kind: 'fail', reason: 'BadDeviceToken' }],
  ['bad', 'production', { kind: 'drop', reason: 'BadDeviceToken', asOf: null }],
  ['bad', 'sandbox', { kind: 'drop', reason: 'BadDeviceToken', asOf: null }],
  ['57a1', null, { kind: 'fail', reason: 'DeviceTokenNotForTopic' }],
  ['429', null, { kind: 'wait', whom: 'device', reason: 'TooManyRequests', retryAfterMs: null }],
  ['503', null, { kind: 'wait', whom: 'all', reason: 'ServiceUnavailable', retryAfterMs: null }],
  ['500', null, { kind: 'retry', reason: 'InternalServerError', retryAfterMs: null }],
] as const)('%s (%s): asked once', async (token, environment, outcome) => {
  expect(await providerOf().send(push(token, { environment }))).toEqual(outcome);
  expect(fakes.apns.received.of(tokenOf(token))).toHaveLength(1);
});

test.each([
  ['expired-signature', { kind: 'retry', reason: 'ExpiredProviderToken', retryAfterMs: null }],
  ['refused', { kind: 'pause', reason: 'InvalidProviderToken' }],
  ['too-large', { kind: 'fail', reason: 'PayloadTooLarge' }],
  ['reset', { kind: 'unknown', reason: 'connection-lost' }],
] as const)('%s: asked once', async (behaviour, outcome) => {
  fakes.apns.change({ behave: () => behaviour });
  expect(await providerOf().send(push('a'))).toEqual(outcome);
  expect(fakes.apns.received.all).toHaveLength(1);
});

test('a dead token is dead since when Apple says', async () => {
  fakes.apns.change({ goneSince: 1_700_000_000_000 });
  const outcome = await providerOf().send(push('dead'));
  expect(outcome).toEqual({ kind: 'drop', reason: 'Unregistered', asOf: new Date(1_700_000_000_000) });
});

test('Retry-After is handed on, and nobody waits for it here', async () => {
  fakes.apns.change({ retryAfterSeconds: 30 });
  const provider = providerOf();
  expect(await provider.send(push('429'))).toMatchObject({ kind: 'wait', whom: 'device', retryAfterMs: 30_000 });
  expect(await provider.send(push('503'))).toMatchObject({ kind: 'wait', whom: 'all', retryAfterMs: 30_000 });
  expect(fakes.apns.received.all).toHaveLength(2);
});

test('after a signature that was too old the next one is made', async () => {
  fakes.apns.change({ behave: (_, attempt) => (attempt === 1 ? 'expired-signature' : 'take') });
  const provider = providerOf();
  expect(await provider.send(push('f1'))).toMatchObject({ kind: 'retry' });
  const first = fakes.apns.messageTo(tokenOf('f1'))!.headers.authorization;
  expect(await provider.send(push('f1'))).toMatchObject({ kind: 'sent' });
  expect(fakes.apns.messageTo(tokenOf('f1'))!.headers.authorization).not.toBe(first);
});

describe('a clock that is wrong', () => {
  const both = /our clock says \d{4}-\d\d-\d\dT[\d:]+Z, Apple's says \d{4}-\d\d-\d\dT[\d:]+Z/;

  test('is named after a few signatures that are too old, with the time there and here, and everything waits', async () => {
    fakes.apns.change({ aheadMs: 2 * 3_600_000 });
    const provider = providerOf();
    const outcomes: PushOutcome[] = [];
    for (const one of pushes(6)) outcomes.push(await provider.send(one));
    expect(outcomes.slice(0, 4)).toEqual(
      Array.from({ length: 4 }, () => ({ kind: 'retry', reason: 'ExpiredProviderToken', retryAfterMs: null })),
    );
    expect(outcomes[4]).toEqual({ kind: 'pause', reason: expect.stringMatching(both) });
    expect(fakes.apns.received.counts()).not.toHaveProperty('take');
  });

  test('is named where Apple calls a signature of the future invalid', async () => {
    fakes.apns.change({ aheadMs: -2 * 3_600_000 });
    expect(await providerOf().send(push('a'))).toEqual({ kind: 'pause', reason: expect.stringMatching(both) });
  });

  test('is named when credentials are checked', async () => {
    fakes.apns.change({ aheadMs: 2 * 3_600_000 });
    expect(await providerOf().check()).toEqual({ taken: false, reason: expect.stringMatching(both) });
  });
});

describe('a connection that Apple closes', () => {
  test('finishes what is under way, and nobody notices', async () => {
    fakes.apns.change({ latencyMs: 200 });
    const provider = providerOf();
    await provider.send(push('a'));
    const before = fakes.apns.asked();
    const outcomes = pushes(200).map((one) => provider.send(one));
    await expect.poll(() => fakes.apns.asked() - before).toBe(200);
    fakes.apns.goAway();
    expect(countOf(await Promise.all(outcomes))).toEqual({ sent: 200 });
    expect(await provider.send(push('b'))).toMatchObject({ kind: 'sent' });
  });

  test('may refuse the last ones unseen: they go over the next', async () => {
    const provider = providerOf();
    await provider.send(push('c0'));
    // None is answered before the connection closes.
    fakes.apns.change({ latencyMs: 2_000 });
    const [asked, connections] = [fakes.apns.asked(), fakes.apns.connections()];
    const all = pushes(200);
    const outcomes = all.map((one) => provider.send(one));
    await expect.poll(() => fakes.apns.asked() - asked).toBe(200);
    fakes.apns.change({ latencyMs: 0 });
    fakes.apns.goAway('refusing');
    expect(countOf(await Promise.all(outcomes))).toEqual({ sent: 200 });
    expect(fakes.apns.asked() - asked).toBeGreaterThan(250);
    expect(fakes.apns.connections()).toBe(connections + 1);
    for (const { token } of all) expect(fakes.apns.received.of(token)).toHaveLength(1);
  });

  test('may break: then nobody knows, and every one says so', async () => {
    fakes.apns.change({ latencyMs: 200 });
    const provider = providerOf();
    await provider.send(push('c0'));
    const before = fakes.apns.asked();
    const outcomes = pushes(200).map((one) => provider.send(one));
    await expect.poll(() => fakes.apns.asked() - before).toBe(200);
    fakes.apns.goAway('abrupt');
    expect(countOf(await Promise.all(outcomes))).toEqual({ unknown: 200 });
    fakes.apns.change({ latencyMs: 0 });
    expect(await provider.send(push('b'))).toMatchObject({ kind: 'sent' });
  });

  test('again and again under load loses no push and sends none twice', async () => {
    fakes.apns.change({ latencyMs: 10 });
    const provider = providerOf();
    const timer = setInterval(() => fakes.apns.goAway(), 100);
    const outcomes: PushOutcome[] = [];
    const all = pushes(4_000);
    let next = 0;
    const worker = async () => {
      while (next < all.length) outcomes.push(await provider.send(all[next++]!));
    };
    await Promise.all(Array.from({ length: 200 }, worker));
    clearInterval(timer);
    const { sent = 0, retry = 0, ...other } = countOf(outcomes);
    expect([sent + retry, other]).toEqual([4_000, {}]);
    expect(retry).toBeLessThan(40);
    const seen = fakes.apns.received.all.filter(wasTaken).map(({ token }) => token);
    expect(seen).toHaveLength(sent);
    expect(new Set(seen).size).toBe(sent);
  });
});

test('one 500 costs no other push', async () => {
  fakes.apns.change({ latencyMs: 50 });
  const provider = providerOf();
  const all = [...pushes(100), push('500'), push('500'), ...pushes(100)];
  expect(countOf(await Promise.all(all.map((one) => provider.send(one))))).toEqual({ sent: 200, retry: 2 });
});

test('more than the server takes at once wait for their turn', async () => {
  const authority = makeAuthority();
  const certificate = authority.certificateFor(['127.0.0.1'], 1);
  authority.remove();
  const narrow = await startFakeApns(certificate, { maxConcurrentStreams: 20, latencyMs: 20 });
  const provider = providerOf(narrow.key(), { url: narrow.url, ca: authority.ca });
  expect(countOf(await Promise.all(pushes(500).map((one) => provider.send(one))))).toEqual({ sent: 500 });
  await provider.close();
  await narrow.close();
});

test('what never came to a connection was not sent', async () => {
  const { port, close } = await listening(() => {});
  await close();
  const nobody = providerOf(undefined, { url: `https://127.0.0.1:${port}` });
  expect(await nobody.send(push('a'))).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
  const stranger = providerOf(undefined, { ca: makeOther() });
  expect(await stranger.send(push('a'))).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
});

test('a server that does not finish its handshake has been sent nothing', async () => {
  const { port, close } = await listening(() => {});
  const provider = providerOf(undefined, { url: `https://127.0.0.1:${port}`, timeoutMs: 300 });
  expect(await provider.send(push('a'))).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
  // The unfinished handshake does not delay `close`.
  await provider.close();
  await close();
});

test('a connection that has died without a word is left behind', async () => {
  // A proxy between provider and server. From a certain moment it passes nothing on, and it does not notify either
  // side.
  let dead = false;
  const { port: target } = new URL(fakes.apns.url);
  const { port, close } = await listening((socket) => {
    const through = connect(Number(target), '127.0.0.1');
    const wasDead = dead;
    socket.on('data', (data) => (dead && !wasDead) || through.write(data));
    through.on('data', (data) => (dead && !wasDead) || socket.write(data));
    const end = () => {
      socket.destroy();
      through.destroy();
    };
    for (const one of [socket, through]) one.on('error', end).on('close', end);
  });
  const provider = providerOf(undefined, { url: `https://127.0.0.1:${port}`, timeoutMs: 500 });
  expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
  dead = true;
  expect(await provider.send(push('b'))).toEqual({ kind: 'unknown', reason: 'timeout' });
  expect(await provider.send(push('c'))).toMatchObject({ kind: 'sent' });
  await provider.close();
  await close();
});

describe('credentials', () => {
  test('that Apple does not know stop everything, and no token is touched', async () => {
    const provider = providerOf(makeAppleKey().file);
    expect(await provider.send(push('a', { environment: 'production' }))).toEqual({
      kind: 'pause',
      reason: 'InvalidProviderToken',
    });
    expect(await provider.check()).toEqual({ taken: false, reason: 'InvalidProviderToken' });
  });

  test('with a bundle id of another app stop it after some', async () => {
    const file = { ...fakes.apns.key(), bundleId: 'com.example.other' };
    const provider = providerOf(file);
    const outcomes = await Promise.all(pushes(100).map((one) => provider.send(one)));
    expect(countOf(outcomes)).toEqual({ fail: 19, pause: 81 });
  });

  test('are checked without sending anything to anybody', async () => {
    expect(await providerOf().check()).toEqual({ taken: true, reason: 'BadDeviceToken' });
    expect(fakes.apns.received.all).toHaveLength(0);
  });
});

test('a push that is too large is not sent', async () => {
  const large = push('a', { message: { ...message, body: 'x'.repeat(4_000) } });
  expect(await providerOf().send(large)).toEqual({ kind: 'fail', reason: 'payload-too-large' });
  expect(fakes.apns.received.all).toHaveLength(0);
});

test('it closes when all have their outcome, and sends nothing after that', async () => {
  fakes.apns.change({ latencyMs: 100 });
  const provider = providerOf();
  const outcomes = pushes(200).map((one) => provider.send(one));
  await provider.close();
  expect(countOf(await Promise.all(outcomes))).toEqual({ sent: 200 });
  expect(await provider.send(push('a'))).toEqual({ kind: 'retry', reason: 'closing', retryAfterMs: null });
});

function makeOther(): string {
  const other = makeAuthority();
  other.remove();
  return other.ca;
}

async function listening(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
