import { describe, expect, test } from 'vitest';
import { createDoubts, DOUBTS_IN_A_ROW } from './doubts.ts';
import { apnsVerdict, fcmVerdict, noAccessToken, noAnswer, readRetryAfter } from './outcomes.ts';

const fcm = (status: number, code: string | null, more: { wrongFields?: string[]; info?: string } = {}) =>
  fcmVerdict({ status, code, info: null, wrongFields: [], retryAfterMs: 5, ...more });
const apns = (status: number, reason: string | null) =>
  apnsVerdict({ status, reason, timestamp: null, date: null, now: 0, retryAfterMs: 5 }, null);

describe('FCM', () => {
  test.each([
    [404, 'UNREGISTERED', { kind: 'drop', reason: 'UNREGISTERED', asOf: null }],
    [400, 'INVALID_ARGUMENT', { kind: 'suspect', reason: 'INVALID_ARGUMENT' }],
    [403, 'SENDER_ID_MISMATCH', { kind: 'doubt', reason: 'SENDER_ID_MISMATCH' }],
    [401, 'THIRD_PARTY_AUTH_ERROR', { kind: 'doubt', reason: 'THIRD_PARTY_AUTH_ERROR' }],
    [401, 'APNS_AUTH_ERROR', { kind: 'doubt', reason: 'APNS_AUTH_ERROR' }],
    [429, 'QUOTA_EXCEEDED', { kind: 'wait', whom: 'all', reason: 'QUOTA_EXCEEDED', retryAfterMs: 5 }],
    [503, 'UNAVAILABLE', { kind: 'wait', whom: 'all', reason: 'UNAVAILABLE', retryAfterMs: 5 }],
    [500, 'INTERNAL', { kind: 'retry', reason: 'INTERNAL', retryAfterMs: 5 }],
    // Answers without a code of FCM's own.
    [401, null, { kind: 'pause', reason: 'http-401' }],
    [403, null, { kind: 'pause', reason: 'http-403' }],
    [404, null, { kind: 'doubt', reason: 'http-404' }],
    [400, null, { kind: 'fail', reason: 'http-400' }],
    [413, null, { kind: 'fail', reason: 'http-413' }],
    [408, null, { kind: 'unknown', reason: 'http-408' }],
    [429, null, { kind: 'wait', whom: 'all', reason: 'http-429', retryAfterMs: 5 }],
    [502, null, { kind: 'retry', reason: 'http-502', retryAfterMs: 5 }],
    [503, null, { kind: 'wait', whom: 'all', reason: 'http-503', retryAfterMs: 5 }],
    [504, null, { kind: 'unknown', reason: 'http-504' }],
    [200, null, { kind: 'unknown', reason: 'http-200' }],
    [302, null, { kind: 'unknown', reason: 'http-302' }],
    // Answers with an unknown code.
    [404, 'UNSPECIFIED_ERROR', { kind: 'doubt', reason: 'UNSPECIFIED_ERROR' }],
    [400, 'toString', { kind: 'fail', reason: 'toString' }],
    [500, 'SOMETHING_ELSE', { kind: 'retry', reason: 'SOMETHING_ELSE', retryAfterMs: 5 }],
  ])('%i %s', (status, code, verdict) => {
    expect(fcm(status, code)).toEqual(verdict);
  });

  test("Google's own reason is shown beside FCM's word, or instead of one", () => {
    expect(fcm(403, null, { info: 'SERVICE_DISABLED' })).toEqual({
      kind: 'pause',
      reason: 'http-403: SERVICE_DISABLED',
    });
    expect(fcm(429, 'QUOTA_EXCEEDED', { info: 'RATE_LIMIT_EXCEEDED' })).toMatchObject({
      reason: 'QUOTA_EXCEEDED: RATE_LIMIT_EXCEEDED',
    });
    expect(fcm(404, 'UNREGISTERED', { info: 'UNREGISTERED' })).toMatchObject({ reason: 'UNREGISTERED' });
  });

  test('a wrong argument drops the token only where it is the token', () => {
    expect(fcm(400, 'INVALID_ARGUMENT', { wrongFields: ['message.token'] }).kind).toBe('drop');
    expect(fcm(400, 'INVALID_ARGUMENT', { wrongFields: ['message.data'] }).kind).toBe('fail');
  });

  test.each([
    ['invalid_grant', 400, { kind: 'pause', reason: 'invalid_grant' }],
    ['unauthorized_client', 401, { kind: 'pause', reason: 'unauthorized_client' }],
    [null, 403, { kind: 'pause', reason: 'http-403' }],
    [null, 429, { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs: 5 }],
    [null, 503, { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs: 5 }],
    [null, null, { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs: 5 }],
  ])('no access token: %s %s', (error, status, outcome) => {
    expect(noAccessToken(error, status, 5)).toEqual(outcome);
  });
});

describe('APNs', () => {
  test.each([
    [410, 'Unregistered', { kind: 'drop', reason: 'Unregistered', asOf: null }],
    [410, 'ExpiredToken', { kind: 'drop', reason: 'ExpiredToken', asOf: null }],
    [400, 'BadDeviceToken', { kind: 'fail', reason: 'BadDeviceToken' }],
    [400, 'DeviceTokenNotForTopic', { kind: 'doubt', reason: 'DeviceTokenNotForTopic' }],
    [400, 'TopicDisallowed', { kind: 'doubt', reason: 'TopicDisallowed' }],
    [400, 'BadTopic', { kind: 'doubt', reason: 'BadTopic' }],
    [400, 'MissingTopic', { kind: 'doubt', reason: 'MissingTopic' }],
    [400, 'BadCollapseId', { kind: 'fail', reason: 'BadCollapseId' }],
    [400, 'IdleTimeout', { kind: 'retry', reason: 'IdleTimeout', retryAfterMs: 5 }],
    [413, 'PayloadTooLarge', { kind: 'fail', reason: 'PayloadTooLarge' }],
    [403, 'InvalidProviderToken', { kind: 'pause', reason: 'InvalidProviderToken' }],
    [403, 'MissingProviderToken', { kind: 'pause', reason: 'MissingProviderToken' }],
    [403, 'Forbidden', { kind: 'pause', reason: 'Forbidden' }],
    [
      403,
      'ExpiredProviderToken',
      {
        kind: 'expired',
        reason: 'ExpiredProviderToken',
        clocks: "our clock says 1970-01-01T00:00:00Z, Apple's was not told",
      },
    ],
    [403, 'BadEnvironmentKeyIdInToken', { kind: 'doubt', reason: 'BadEnvironmentKeyIdInToken' }],
    [403, 'BadEnvironmentKeyInToken', { kind: 'doubt', reason: 'BadEnvironmentKeyInToken' }],
    [429, 'TooManyRequests', { kind: 'wait', whom: 'device', reason: 'TooManyRequests', retryAfterMs: 5 }],
    [
      429,
      'TooManyProviderTokenUpdates',
      { kind: 'wait', whom: 'all', reason: 'TooManyProviderTokenUpdates', retryAfterMs: 5 },
    ],
    [500, 'InternalServerError', { kind: 'retry', reason: 'InternalServerError', retryAfterMs: 5 }],
    [503, 'ServiceUnavailable', { kind: 'wait', whom: 'all', reason: 'ServiceUnavailable', retryAfterMs: 5 }],
    [503, 'Shutdown', { kind: 'wait', whom: 'all', reason: 'Shutdown', retryAfterMs: 5 }],
    [504, null, { kind: 'unknown', reason: 'http-504' }],
    [408, null, { kind: 'unknown', reason: 'http-408' }],
  ])('%i %s', (status, reason, verdict) => {
    expect(apns(status, reason)).toEqual(verdict);
  });
});

test('no answer is an unknown outcome, unless nothing was sent', () => {
  expect(noAnswer(true, false)).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
  expect(noAnswer(true, true)).toEqual({ kind: 'retry', reason: 'unreachable', retryAfterMs: null });
  expect(noAnswer(false, true)).toEqual({ kind: 'unknown', reason: 'timeout' });
  expect(noAnswer(false, false)).toEqual({ kind: 'unknown', reason: 'connection-lost' });
});

test.each([
  [undefined, null],
  ['', null],
  ['soon', null],
  ['0', 0],
  ['120', 120_000],
  ['99999999', 3_600_000],
  ['Sat, 21 Nov 2026 15:04:15 GMT', 10_000],
  ['Sat, 21 Nov 2026 15:00:00 GMT', 0],
])('Retry-After: %s', (header, ms) => {
  expect(readRetryAfter(header, Date.parse('2026-11-21T15:04:05.000Z'))).toBe(ms);
});

describe('a doubt', () => {
  const doubt = { kind: 'doubt', reason: 'SENDER_ID_MISMATCH' } as const;
  const sent = { kind: 'sent', providerId: null, logged: false } as const;

  test('costs its own delivery, and stops nothing while others are taken', () => {
    const doubts = createDoubts();
    for (let i = 0; i < 1_000; i++) {
      const verdict = i % 4 === 0 ? sent : doubt;
      expect(doubts.decide(verdict, doubts.begin()).kind).toBe(verdict === sent ? 'sent' : 'fail');
    }
  });

  test('stops everything when it is all that is heard', () => {
    const doubts = createDoubts();
    const began = Array.from({ length: 200 }, () => doubts.begin());
    const outcomes = began.map((one) => doubts.decide(doubt, one).kind);
    expect(outcomes.filter((kind) => kind === 'fail')).toHaveLength(DOUBTS_IN_A_ROW - 1);
    expect(outcomes.filter((kind) => kind === 'pause')).toHaveLength(200 - (DOUBTS_IN_A_ROW - 1));
    // The credentials are repaired, and the first push after that goes to a stray token.
    expect(doubts.decide(doubt, doubts.begin()).kind).toBe('fail');
  });

  test('leaves every other outcome as it is', () => {
    const doubts = createDoubts();
    const drop = { kind: 'drop', reason: 'UNREGISTERED', asOf: null } as const;
    expect(doubts.decide(drop, doubts.begin())).toBe(drop);
  });
});
