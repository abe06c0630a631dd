// Sends pushes to a server that speaks Google's protocol over HTTP/2 and TLS.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type FcmCredentials, parsePushCredentials } from '@landfall/runtime';
import { type BehaviourOptions, type Fakes, makeServiceAccount, startFakes, wasTaken } from '@landfall/testkit/push';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFcmProvider } from './fcm.ts';
import type { Push, PushProvider } from './provider.ts';
import { message, pushTo, tokenFor } from './test-push.ts';

const tokenOf = (name: string) => tokenFor('fcm', name);
const push = (name: string, more?: Partial<Push>) => pushTo('fcm', name, more);

let fakes: Fakes;
const open: PushProvider[] = [];

beforeAll(async () => {
  fakes = await startFakes();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
  fakes.fcm.change({ behave: () => undefined, latencyMs: 0, retryAfterSeconds: undefined } as BehaviourOptions);
  fakes.fcm.received.clear();
});
afterAll(() => fakes.close());

function providerOf(
  file: object = fakes.fcm.account(),
  options: { port?: number; timeoutMs?: number } = {},
): PushProvider {
  const { credentials } = parsePushCredentials('fcm', file);
  const port = options.port ?? Number(new URL(fakes.fcm.url).port);
  const connect = { host: '127.0.0.1', port, servername: '', ca: fakes.ca };
  const provider = createFcmProvider(credentials as FcmCredentials, { connect, timeoutMs: options.timeoutMs ?? 5_000 });
  open.push(provider);
  return provider;
}

test('a push arrives as it was rendered', async () => {
  const provider = providerOf();
  expect(await provider.send(push('a'))).toEqual({
    kind: 'sent',
    providerId: expect.stringMatching(/^projects\/landfall-demo\/messages\/0:/),
    logged: false,
  });
  const got = fakes.fcm.messageTo(tokenOf('a'))!;
  expect(got.data).toEqual({
    notificationId: '00000000-0000-4000-8000-000000000002',
    destinationPath: '/offers/today',
    metadata: '{"utm_source":"push","color":"blue"}',
    deviceToken: tokenOf('a'),
  });
  expect(got.android).toMatchObject({ collapse_key: 'sale', ttl: expect.stringMatching(/^3[56]\d\d(\.\d+)?s$/) });
  expect(got.apns).toMatchObject({ payload: { aps: { 'mutable-content': 1, sound: 'default', badge: 1 } } });
});

test.each([
  ['unregistered', { kind: 'drop', reason: 'UNREGISTERED', asOf: null }],
  ['malformed', { kind: 'suspect', reason: 'INVALID_ARGUMENT' }],
  ['stray', { kind: 'fail', reason: 'SENDER_ID_MISMATCH' }],
  ['noapple', { kind: 'fail', reason: 'THIRD_PARTY_AUTH_ERROR' }],
  ['quota', { kind: 'wait', whom: 'all', reason: 'QUOTA_EXCEEDED', retryAfterMs: null }],
  ['unavailable', { kind: 'wait', whom: 'all', reason: 'UNAVAILABLE', retryAfterMs: null }],
  ['internal', { kind: 'retry', reason: 'INTERNAL', retryAfterMs: null }],
  ['reset', { kind: 'unknown', reason: 'connection-lost' }],
])('%s: asked once', async (token, outcome) => {
  const provider = providerOf();
  const startedAt = performance.now();
  expect(await provider.send(push(token))).toEqual(outcome);
  // firebase-admin alone takes 7 seconds for some of these cases.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(fakes.fcm.received.of(tokenOf(token))).toHaveLength(1);
});

test.each([
  ['bad-gateway', { kind: 'retry', reason: 'http-502', retryAfterMs: null }],
  ['broken', { kind: 'sent', providerId: null, logged: false }],
  ['too-large', { kind: 'suspect', reason: 'INVALID_ARGUMENT' }],
  ['refused', { kind: 'pause', reason: 'http-403: SERVICE_DISABLED' }],
] as const)('%s', async (behaviour, outcome) => {
  fakes.fcm.change({ behave: () => behaviour });
  expect(await providerOf().send(push('a'))).toEqual(outcome);
  expect(fakes.fcm.received.of(tokenOf('a'))).toHaveLength(1);
});

test('a silent server: nobody knows, when the time is up', async () => {
  const provider = providerOf(undefined, { timeoutMs: 300 });
  expect(await provider.send(push('hang'))).toEqual({ kind: 'unknown', reason: 'timeout' });
  expect(fakes.fcm.received.of(tokenOf('hang'))).toHaveLength(1);
});

test('Retry-After is handed on at once, and the push goes out once', async () => {
  fakes.fcm.change({ retryAfterSeconds: 30 });
  const provider = providerOf();
  const startedAt = performance.now();
  expect(await provider.send(push('unavailable'))).toMatchObject({ kind: 'wait', whom: 'all', retryAfterMs: 30_000 });
  expect(await provider.send(push('quota'))).toMatchObject({ kind: 'wait', whom: 'all', retryAfterMs: 30_000 });
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(fakes.fcm.received.all).toHaveLength(2);
});

test('what never came to a connection was not sent', async () => {
  const provider = providerOf();
  await provider.send(push('a'));
  const nobody = await freePort();
  expect(await providerOf(undefined, { port: nobody }).send(push('b'))).toMatchObject({
    kind: 'wait',
    reason: 'no-access-token',
  });
  // The provider has its access token, and then the server is gone.
  const apart = await startFakes();
  const { credentials } = parsePushCredentials('fcm', apart.fcm.account());
  const connect = { host: '127.0.0.1', port: Number(new URL(apart.fcm.url).port), servername: '', ca: apart.ca };
  const left = createFcmProvider(credentials as FcmCredentials, { connect, timeoutMs: 2_000 });
  open.push(left);
  expect(await left.send(push('a'))).toMatchObject({ kind: 'sent' });
  await apart.close();
  // On the old connection the outcome is unknown, until the provider sees that the connection is gone.
  await expect.poll(() => left.send(push('c'))).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
});

test('a server that does not finish its handshake has been sent nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as AddressInfo;
  const provider = providerOf(undefined, { port, timeoutMs: 300 });
  expect(await provider.send(push('a'))).toMatchObject({ kind: expect.stringMatching(/^(retry|wait)$/) });
  silent.close();
});

describe('credentials', () => {
  test('that Google does not know stop everything, and no token is touched', async () => {
    const provider = providerOf(makeServiceAccount().file);
    expect(await provider.send(push('a'))).toEqual({ kind: 'pause', reason: 'invalid_grant' });
    expect(await provider.check()).toEqual({ taken: false, reason: 'invalid_grant' });
    expect(fakes.fcm.received.all).toHaveLength(0);
  });

  test('whose access token is refused get another one, once, for all pushes that had the old one', async () => {
    const provider = providerOf();
    expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
    fakes.fcm.forgetTokens();
    const before = fakes.fcm.mints();
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => provider.send(push(`t${i}`))));
    expect(outcomes.filter(({ kind }) => kind === 'sent')).toHaveLength(50);
    expect(fakes.fcm.mints() - before).toBe(1);
    expect(fakes.fcm.received.all).toHaveLength(51);
  });

  test('whose every access token is refused stop everything, and send again once one is taken', async () => {
    const provider = providerOf();
    fakes.fcm.spoilTokens(2);
    const before = fakes.fcm.mints();
    expect(await provider.send(push('a'))).toEqual({ kind: 'pause', reason: 'http-401: ACCESS_TOKEN_EXPIRED' });
    expect(fakes.fcm.mints() - before).toBe(2);
    expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
    expect(fakes.fcm.mints() - before).toBe(3);
  });

  test('without a key for Apple are no reason for another access token', async () => {
    const provider = providerOf();
    await provider.send(push('a'));
    const before = fakes.fcm.mints();
    expect(await provider.send(push('noapple'))).toMatchObject({ kind: 'fail' });
    expect(fakes.fcm.mints()).toBe(before);
    expect(fakes.fcm.received.of(tokenOf('noapple'))).toHaveLength(1);
  });

  test('of another project than that of the tokens stop it after some', async () => {
    fakes.fcm.change({ behave: () => 'stray' });
    const provider = providerOf();
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => provider.send(push(`t${i}`))));
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'fail')).toHaveLength(19);
    expect(kinds.filter((kind) => kind === 'pause')).toHaveLength(81);
  });

  test('are checked without sending anything to anybody', async () => {
    expect(await providerOf().check()).toEqual({ taken: true, reason: 'INVALID_ARGUMENT' });
    expect(fakes.fcm.received.all).toHaveLength(0);
    expect(await providerOf(undefined, { port: await freePort() }).check()).toBeNull();
  });

  test('are exchanged once for all pushes', async () => {
    const before = fakes.fcm.mints();
    const provider = providerOf();
    await Promise.all(Array.from({ length: 50 }, (_, i) => provider.send(push(`t${i}`))));
    expect(fakes.fcm.mints() - before).toBe(1);
  });
});

test('a push that is too large is not sent', async () => {
  const large = push('a', { message: { ...message, body: 'x'.repeat(4_000) } });
  expect(await providerOf().send(large)).toEqual({ kind: 'fail', reason: 'payload-too-large' });
  expect(fakes.fcm.received.all).toHaveLength(0);
});

test('it closes when all have their outcome, and sends nothing after that', async () => {
  fakes.fcm.change({ latencyMs: 100 });
  const provider = providerOf();
  const outcomes = Array.from({ length: 100 }, (_, i) => provider.send(push(`t${i}`)));
  await provider.close();
  expect((await Promise.all(outcomes)).filter(({ kind }) => kind === 'sent')).toHaveLength(100);
  expect(await provider.send(push('late'))).toEqual({ kind: 'retry', reason: 'closing', retryAfterMs: null });
  await expect.poll(() => fakes.fcm.connections()).toBe(0);
});

describe('sessions', () => {
  const many = (provider: PushProvider, count: number, from = 0) =>
    Promise.all(Array.from({ length: count }, (_, i) => provider.send(push(`t${from + i}`))));
  const once = () => {
    const taken = fakes.fcm.received.all.filter(wasTaken);
    return { taken: taken.length, tokens: new Set(taken.map(({ token }) => token)).size };
  };

  test('are as many as the streams that FCM allows ask for, and are kept', async () => {
    fakes.fcm.change({ latencyMs: 50 });
    const provider = providerOf();
    for (let round = 0; round < 3; round++) {
      const outcomes = await many(provider, provider.atOnce, round * provider.atOnce);
      expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true);
    }
    // The 700 pushes use 100 streams on each connection. One more connection is for the access token.
    expect(fakes.fcm.connections()).toBeLessThanOrEqual(8);
    expect(once()).toEqual({ taken: 2_100, tokens: 2_100 });
  });

  test('that FCM ends finish what they have, and the next pushes go over others', async () => {
    fakes.fcm.change({ latencyMs: 100 });
    const provider = providerOf();
    await provider.send(push('first'));
    const underWay = many(provider, 300);
    await expect.poll(() => fakes.fcm.asked()).toBeGreaterThan(100);
    fakes.fcm.goAway('graceful');
    const after = many(provider, 100, 300);
    const outcomes = [...(await underWay), ...(await after)];
    expect(outcomes.filter(({ kind }) => kind !== 'sent')).toEqual([]);
    expect(once()).toEqual({ taken: 401, tokens: 401 });
  });

  test('that refuse streams unseen lose nothing: those go out again at once, and none twice', async () => {
    const provider = providerOf();
    await provider.send(push('first'));
    // Longer than a busy machine takes to send all pushes.
    fakes.fcm.change({ latencyMs: 3_000 });
    const asked = fakes.fcm.asked();
    const underWay = many(provider, 300);
    await expect.poll(() => fakes.fcm.asked() - asked, { timeout: 3_000 }).toBe(300);
    fakes.fcm.goAway('refusing');
    fakes.fcm.change({ latencyMs: 0 });
    expect((await underWay).filter(({ kind }) => kind !== 'sent')).toEqual([]);
    expect(fakes.fcm.asked() - asked).toBeGreaterThan(300);
    expect(once()).toEqual({ taken: 301, tokens: 301 });
  });

  test('that die leave what they had unknown, and the next push goes over another', async () => {
    const provider = providerOf();
    await provider.send(push('first'));
    fakes.fcm.change({ latencyMs: 3_000 });
    const asked = fakes.fcm.asked();
    const underWay = many(provider, 150);
    await expect.poll(() => fakes.fcm.asked() - asked, { timeout: 3_000 }).toBe(150);
    fakes.fcm.goAway('abrupt');
    fakes.fcm.change({ latencyMs: 0 });
    const lost = { kind: 'unknown', reason: 'connection-lost' };
    expect(await underWay).toEqual(Array.from({ length: 150 }, () => lost));
    expect(await provider.send(push('next'))).toMatchObject({ kind: 'sent' });
  });

  test('take no more streams at a time than their server allows', async () => {
    const apart = await startFakes({ fcm: { maxConcurrentStreams: 7, latencyMs: 10 } });
    const { credentials } = parsePushCredentials('fcm', apart.fcm.account());
    const connect = { host: '127.0.0.1', port: Number(new URL(apart.fcm.url).port), servername: '', ca: apart.ca };
    const provider = createFcmProvider(credentials as FcmCredentials, { connect, timeoutMs: 5_000 });
    const outcomes = await many(provider, 300);
    expect(outcomes.filter(({ kind }) => kind !== 'sent')).toEqual([]);
    expect(apart.fcm.asked()).toBe(300);
    await provider.close();
    await apart.close();
  });

  test('that fall silent are left behind', async () => {
    const { port, lines, close } = await between();
    const provider = providerOf(undefined, { port, timeoutMs: 1_000 });
    expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
    for (const line of lines) line.unpipe().pause();
    expect(await provider.send(push('b'))).toEqual({ kind: 'unknown', reason: 'timeout' });
    expect(await provider.send(push('c'))).toMatchObject({ kind: 'sent' });
    await provider.close();
    close();
  });

  test.each([
    [1, 'sent'],
    [2, 'retry'],
  ])('that end before they begin are opened again at once, once: %i of them', async (times, kind) => {
    let toBreak = 0;
    const { port, close } = await between(() => toBreak-- > 0);
    const provider = providerOf(undefined, { port });
    // After this push the provider has an access token.
    expect(await provider.send(push('first'))).toMatchObject({ kind: 'sent' });
    fakes.fcm.goAway('abrupt');
    await expect.poll(() => fakes.fcm.connections()).toBe(0);
    toBreak = times;
    expect(await provider.send(push('second'))).toMatchObject({ kind });
    await provider.close();
    close();
  });

  test('that end again and again lose nothing and send nothing twice', async () => {
    let looked = 0;
    const endAll = () => {
      if (++looked % 500 === 0) setImmediate(() => fakes.fcm.goAway('graceful'));
      return undefined;
    };
    fakes.fcm.change({ latencyMs: 20, behave: endAll });
    const provider = providerOf();
    const outcomes: string[] = [];
    for (let round = 0; round < 10; round++) {
      for (const { kind } of await many(provider, 400, round * 400)) outcomes.push(kind);
    }
    expect(outcomes.filter((kind) => kind !== 'sent')).toEqual([]);
    expect(once()).toEqual({ taken: 4_000, tokens: 4_000 });
  });
});

/** Starts a proxy that passes everything on. It breaks a connection at once when `breaks` returns true. */
async function between(breaks = () => false) {
  const lines: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (breaks()) return void socket.destroy();
    const on = connect(Number(new URL(fakes.fcm.url).port), '127.0.0.1');
    lines.push(socket, on);
    on.on('error', () => {});
    on.once('close', () => socket.destroy());
    socket.pipe(on).pipe(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    close() {
      for (const line of lines) line.destroy();
      server.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
