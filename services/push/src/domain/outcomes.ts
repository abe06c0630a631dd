// Maps each answer of a provider to a verdict: the one table. It reads codes, never sentences. The most important
// distinction is the one that drops a token: only a dead token is dropped.
import type { PushEnvironment } from '@landfall/contracts';
import { type PushOutcome, SUSPICIOUS } from './outcome.ts';

/**
 * An outcome, or a doubt: the provider says that token and credentials do not belong together, and one stray token is no
 * reason to stop all pushes of an app. `createDoubts` decides by how often it is said in a row.
 */
export type ProviderVerdict =
  | PushOutcome
  | { readonly kind: 'doubt'; readonly reason: string; readonly clocks?: undefined }
  /** The provider says that a signature is too old. `clocks`: what time it is for the provider and for us. */
  | { readonly kind: 'expired'; readonly reason: string; readonly clocks: string };

/** FCM's answer to a push that it did not take. */
export interface FcmAnswer {
  readonly status: number;
  /** `errorCode` of the FcmError in the answer's details. Without one it was not FCM's own to say. */
  readonly code: string | null;
  /** `reason` of the ErrorInfo in the answer's details: what Google's front has against a request, as `SERVICE_DISABLED`. */
  readonly info: string | null;
  /** Fields of the request that the answer's details call wrong. */
  readonly wrongFields: readonly string[];
  readonly retryAfterMs: number | null;
}

/** APNs' answer to a push that it did not take. */
export interface ApnsAnswer {
  readonly status: number;
  readonly reason: string | null;
  /** Of a 410: since when the token is of no use, in milliseconds since 1970. */
  readonly timestamp: number | null;
  /** The time at Apple, in milliseconds since 1970; null when the answer did not say. */
  readonly date: number | null;
  /** The time here when the answer came, in milliseconds since 1970. */
  readonly now: number;
  readonly retryAfterMs: number | null;
}

/** By how much a clock may be wrong before it is named as a reason. */
const SKEW_MS = 300_000;

/** The time there and here, in words. */
function clocksOf({ date, now }: ApnsAnswer): string {
  const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return `our clock says ${at(now)}, Apple's ${date === null ? 'was not told' : `says ${at(date)}`}`;
}

/** A signature of the future is not expired, but invalid: with a clock that is wrong, that is the reason. */
const invalidSignature: Row<ApnsAnswer> = (answer) => {
  const skewed = answer.date !== null && Math.abs(answer.date - answer.now) > SKEW_MS;
  return { kind: 'pause', reason: skewed ? `${answer.word}: ${clocksOf(answer)}` : answer.word };
};

type Row<Answer> = (answer: Answer & { readonly word: string }) => ProviderVerdict;

const fail: Row<unknown> = ({ word }) => ({ kind: 'fail', reason: word });
const pause: Row<unknown> = ({ word }) => ({ kind: 'pause', reason: word });
const doubt: Row<unknown> = ({ word }) => ({ kind: 'doubt', reason: word });
const unknown: Row<unknown> = ({ word }) => ({ kind: 'unknown', reason: word });
const drop: Row<unknown> = ({ word }) => ({ kind: 'drop', reason: word, asOf: null });
const retry: Row<{ retryAfterMs: number | null }> = ({ word, retryAfterMs }) => ({
  kind: 'retry',
  reason: word,
  retryAfterMs,
});
const wait =
  (whom: 'all' | 'device'): Row<{ retryAfterMs: number | null }> =>
  ({ word, retryAfterMs }) => ({ kind: 'wait', whom, reason: word, retryAfterMs });

/** By FcmError. */
const fcmCodes: Record<string, Row<FcmAnswer>> = {
  UNREGISTERED: drop,
  // Also said of a message that is wrong, and then of every token. Where it names a field, that one is wrong.
  [SUSPICIOUS]: (answer) => {
    if (answer.wrongFields.includes('message.token')) return drop(answer);
    return answer.wrongFields.length > 0 ? fail(answer) : { kind: 'suspect', reason: SUSPICIOUS };
  },
  // The token is of another project: one app of many, or the credentials of the wrong one.
  SENDER_ID_MISMATCH: doubt,
  // Firebase cannot reach Apple for this project. Its Android devices know nothing of it.
  THIRD_PARTY_AUTH_ERROR: doubt,
  APNS_AUTH_ERROR: doubt,
  QUOTA_EXCEEDED: wait('all'),
  UNAVAILABLE: wait('all'),
  INTERNAL: retry,
};

/** Of what has no FcmError: Google's front, or something before it. */
const fcmStatuses: Record<number, Row<FcmAnswer>> = {
  401: pause,
  403: pause,
  // A project that is not there, and no word about the token.
  404: doubt,
  408: unknown,
  429: wait('all'),
  503: wait('all'),
  504: unknown,
};

export const fcmVerdict = (answer: FcmAnswer): ProviderVerdict =>
  look(answer, answer.code, fcmCodes, fcmStatuses[answer.status], answer.info);

const gone: Row<ApnsAnswer> = ({ word, timestamp }) => ({
  kind: 'drop',
  reason: word,
  asOf: timestamp === null ? null : new Date(timestamp),
});

/** By the reason in the answer. Apple's list: "Handling notification responses from APNs". */
const apnsReasons: Record<string, Row<ApnsAnswer & { environment: PushEnvironment | null }>> = {
  Unregistered: gone,
  ExpiredToken: gone,
  // A sandbox token gets this answer at the production host, too. It has a meaning only when the environment is known.
  BadDeviceToken: (answer) => (answer.environment === null ? fail(answer) : drop(answer)),
  // The token is of another app of the team, or the bundle id is wrong.
  DeviceTokenNotForTopic: doubt,
  TopicDisallowed: doubt,
  BadTopic: doubt,
  MissingTopic: doubt,
  // A key for one environment; devices of the other one are no reason to stop.
  BadEnvironmentKeyIdInToken: doubt,
  BadEnvironmentKeyInToken: doubt,
  // node-apn signs anew with the next push. If that is too old as well, one of the clocks is wrong.
  ExpiredProviderToken: (answer) => ({ kind: 'expired', reason: answer.word, clocks: clocksOf(answer) }),
  InvalidProviderToken: invalidSignature,
  ServiceUnavailable: wait('all'),
  Shutdown: wait('all'),
  TooManyRequests: wait('device'),
  TooManyProviderTokenUpdates: wait('all'),
  IdleTimeout: retry,
};

const apnsStatuses: Record<number, Row<ApnsAnswer>> = {
  403: pause,
  408: unknown,
  429: wait('device'),
  503: wait('all'),
  504: unknown,
};

/** @param environment of the token, as far as the app said it */
export const apnsVerdict = (answer: ApnsAnswer, environment: PushEnvironment | null): ProviderVerdict =>
  look({ ...answer, environment }, answer.reason, apnsReasons, apnsStatuses[answer.status]);

/**
 * The rule for other answers: 4xx is about this push, 5xx may pass, and anything else does not come from a provider.
 */
function look<Answer extends { status: number; retryAfterMs: number | null }>(
  answer: Answer,
  code: string | null,
  codes: Record<string, Row<Answer>>,
  byStatus: Row<Answer> | undefined,
  info: string | null = null,
): ProviderVerdict {
  const first = code ?? `http-${answer.status}`;
  const word = info === null || info === first ? first : `${first}: ${info}`;
  const known = code !== null && Object.hasOwn(codes, code) ? codes[code] : undefined;
  const byClass = answer.status >= 500 ? retry : answer.status >= 400 ? fail : unknown;
  const row = known ?? byStatus ?? byClass;
  return row({ ...answer, word });
}

/**
 * Google gave no access token. @param error its OAuth error code, null when it said none
 * @param status null when there was no answer
 */
export function noAccessToken(error: string | null, status: number | null, retryAfterMs: number | null): PushOutcome {
  const refused = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (refused) return { kind: 'pause', reason: error ?? `http-${status}` };
  return { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs };
}

/** No answer came. @param unsent nothing of the push can have reached the provider */
export const noAnswer = (unsent: boolean, timedOut: boolean): PushOutcome =>
  unsent
    ? { kind: 'retry', reason: 'unreachable', retryAfterMs: null }
    : { kind: 'unknown', reason: timedOut ? 'timeout' : 'connection-lost' };

const LONGEST_WAIT_MS = 3_600_000;

/** A `Retry-After` header, seconds or a date, in milliseconds; an hour at the most. Null when it says nothing. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}
