// What only FCM does: its answers, its access tokens, and as many sessions as its streams ask for.
import { describe, expect, test } from 'vitest';
import { between, freePort, providerFixture, pushTo, tokenFor } from './providers.testing.ts';

const fixture = providerFixture();
const push = (name: string) => pushTo('fcm', name);
const tokenOf = (name: string) => tokenFor('fcm', name);

test('a push arrives as it was rendered', async () => {
  expect(await fixture.provider('fcm').send(push('a'))).toEqual({
    kind: 'sent',
    providerId: expect.stringMatching(/^projects\/landfall-demo\/messages\/0:/),
    logged: false,
  });
  const got = fixture.fakes.fcm.messageTo(tokenOf('a'))!;
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
  ['gone', { kind: 'drop', reason: 'UNREGISTERED', asOf: null }],
  ['bad-token', { kind: 'suspect', reason: 'INVALID_ARGUMENT' }],
  ['internal', { kind: 'retry', reason: 'INTERNAL', retryAfterMs: null }],
  ['bad-gateway', { kind: 'retry', reason: 'http-502', retryAfterMs: null }],
  ['broken', { kind: 'sent', providerId: null, logged: false }],
  ['refused', { kind: 'pause', reason: 'http-403: SERVICE_DISABLED' }],
] as const)('%s: asked once', async (behaviour, outcome) => {
  fixture.fakes.fcm.change({ behave: () => behaviour });
  expect(await fixture.provider('fcm').send(push('a'))).toEqual(outcome);
  expect(fixture.fakes.fcm.received.all).toHaveLength(1);
});

test('a server that is not there gives no access token', async () => {
  const provider = fixture.provider('fcm', { port: await freePort() });
  expect(await provider.send(push('a'))).toMatchObject({ kind: 'wait', reason: 'no-access-token' });
  expect(await provider.check()).toBeNull();
});

describe('an access token', () => {
  const { sendMany } = fixture;

  test('serves all pushes; one that is refused is replaced once, for all pushes that had it', async () => {
    const { fcm } = fixture.fakes;
    const provider = fixture.provider('fcm');
    const before = fcm.mints();
    await sendMany('fcm', provider, 50);
    expect(fcm.mints() - before).toBe(1);
    fcm.forgetTokens();
    const outcomes = await sendMany('fcm', provider, 50, 50);
    expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true);
    expect(fcm.mints() - before).toBe(2);
    expect(fcm.received.all).toHaveLength(100);
  });

  test('that is refused again stops everything. It goes on once one is taken', async () => {
    const { fcm } = fixture.fakes;
    const provider = fixture.provider('fcm');
    fcm.spoilTokens(2);
    const before = fcm.mints();
    expect(await provider.send(push('a'))).toEqual({ kind: 'pause', reason: 'http-401: ACCESS_TOKEN_EXPIRED' });
    expect(fcm.mints() - before).toBe(2);
    expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
    expect(fcm.mints() - before).toBe(3);
  });

  test('is not the reason where the project has no key for Apple', async () => {
    const { fcm } = fixture.fakes;
    const provider = fixture.provider('fcm');
    await provider.send(push('a'));
    const before = fcm.mints();
    expect(await provider.send(push('noapple'))).toEqual({ kind: 'fail', reason: 'THIRD_PARTY_AUTH_ERROR' });
    expect(fcm.mints()).toBe(before);
    expect(fcm.received.of(tokenOf('noapple'))).toHaveLength(1);
  });
});

describe('sessions', () => {
  test('are as many as the streams that FCM allows ask for, and are kept', async () => {
    const { fcm } = fixture.fakes;
    fcm.change({ latencyMs: 50 });
    const provider = fixture.provider('fcm');
    for (let round = 0; round < 2; round++)
      await fixture.sendMany('fcm', provider, provider.atOnce, round * provider.atOnce);
    // The 700 pushes use 100 streams on each connection. One more connection is for the access token.
    expect(fcm.connections()).toBeLessThanOrEqual(8);
    expect(fixture.taken('fcm')).toEqual({ pushes: 1_400, devices: 1_400 });
    await provider.close();
    await expect.poll(() => fcm.connections()).toBe(0);
  });

  test.each([
    [1, 'sent'],
    [2, 'retry'],
  ])('that end before they begin are opened again at once, once: %i of them', async (times, kind) => {
    const { fcm } = fixture.fakes;
    let toBreak = 0;
    const { port, close } = await between(fixture.portOf('fcm'), () => toBreak-- > 0);
    const provider = fixture.provider('fcm', { port });
    // After this push the provider has an access token.
    expect(await provider.send(push('first'))).toMatchObject({ kind: 'sent' });
    fcm.goAway('abrupt');
    await expect.poll(() => fcm.connections()).toBe(0);
    toBreak = times;
    expect(await provider.send(push('second'))).toMatchObject({ kind });
    await provider.close();
    await close();
  });
});
