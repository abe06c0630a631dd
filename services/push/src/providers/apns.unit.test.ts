// What only APNs does: its answers, its signatures and its clock.
import { makeAuthority } from '@landfall/testkit/push';
import { describe, expect, test } from 'vitest';
import type { PushOutcome } from '../domain/outcomes.ts';
import { countOf, freePort, providerFixture, pushTo, tokenFor } from './providers.testing.ts';

const fixture = providerFixture();
const push = (name: string, more?: Parameters<typeof pushTo>[2]) => pushTo('apns', name, more);
const tokenOf = (name: string) => tokenFor('apns', name);

test('a push arrives as it was rendered', async () => {
  const { id } = push('a');
  expect(await fixture.provider('apns').send(push('a'))).toEqual({ kind: 'sent', providerId: id, logged: false });
  const { headers, payload } = fixture.fakes.apns.messageTo(tokenOf('a'))!;
  expect(headers).toMatchObject({
    'apns-id': id,
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
  ['gone', null, { kind: 'drop', reason: 'Unregistered', asOf: new Date(1_700_000_000_000) }],
  ['bad-token', null, { kind: 'fail', reason: 'BadDeviceToken' }],
  ['bad-token', 'sandbox', { kind: 'drop', reason: 'BadDeviceToken', asOf: null }],
  ['internal', null, { kind: 'retry', reason: 'InternalServerError', retryAfterMs: null }],
  ['unavailable', null, { kind: 'wait', whom: 'all', reason: 'ServiceUnavailable', retryAfterMs: null }],
] as const)('%s (%s): asked once', async (behaviour, environment, outcome) => {
  fixture.fakes.apns.change({ goneSince: 1_700_000_000_000, behave: () => behaviour });
  expect(await fixture.provider('apns').send(push('a', { environment }))).toEqual(outcome);
  expect(fixture.fakes.apns.received.all).toHaveLength(1);
});

test('after a signature that was too old the next one is made', async () => {
  const { apns } = fixture.fakes;
  apns.change({ behave: (_, attempt) => (attempt === 1 ? 'expired-signature' : 'take') });
  const provider = fixture.provider('apns');
  const tooOld = { kind: 'retry', reason: 'ExpiredProviderToken', retryAfterMs: null };
  expect(await provider.send(push('f1'))).toEqual(tooOld);
  const first = apns.messageTo(tokenOf('f1'))!.headers.authorization;
  expect(await provider.send(push('f1'))).toMatchObject({ kind: 'sent' });
  expect(apns.messageTo(tokenOf('f1'))!.headers.authorization).not.toBe(first);
  expect(apns.received.all).toHaveLength(2);
});

describe('a clock that is wrong', () => {
  const both = /our clock says \d{4}-\d\d-\d\dT[\d:]+Z, Apple's says \d{4}-\d\d-\d\dT[\d:]+Z/;

  test('is named after a few signatures that are too old, with the time there and here, and everything waits', async () => {
    fixture.fakes.apns.change({ aheadMs: 2 * 3_600_000 });
    const provider = fixture.provider('apns');
    const outcomes: PushOutcome[] = [];
    for (let n = 0; n < 5; n++) outcomes.push(await provider.send(push(`a${n}`)));
    expect(countOf(outcomes)).toEqual({ retry: 4, pause: 1 });
    expect(outcomes[4]).toEqual({ kind: 'pause', reason: expect.stringMatching(both) });
    expect(fixture.fakes.apns.received.counts()).not.toHaveProperty('take');
    expect(await provider.check()).toEqual({ taken: false, reason: expect.stringMatching(both) });
  });

  test('is named where Apple calls a signature of the future invalid', async () => {
    fixture.fakes.apns.change({ aheadMs: -2 * 3_600_000 });
    const reason = expect.stringMatching(both);
    expect(await fixture.provider('apns').send(push('a'))).toEqual({ kind: 'pause', reason });
  });
});

test('a server that is not there, or that nobody trusts, has been sent nothing', async () => {
  const stranger = makeAuthority();
  stranger.remove();
  for (const options of [{ port: await freePort() }, { ca: stranger.ca }]) {
    const outcome = await fixture.provider('apns', options).send(push('a'));
    expect(outcome).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
  }
});
