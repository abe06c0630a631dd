// Maps each answer of a provider to a verdict. This is the only such table. It reads codes, never sentences. The most
// important distinction is between a dead token and all other cases: only a dead token is dropped.
import type { PushEnvironment } from '@landfall/contracts';

/** The only code of a provider that may mean the token or the payload. */
export const SUSPICIOUS = 'INVALID_ARGUMENT';

/** The outcome of one push at its provider. */
export type PushOutcome =
  | { readonly kind: 'sent'; readonly providerId: string | null; readonly logged: boolean }
  /** The token is of no use. `asOf`: the time since when, if the provider gives it. */
  | { readonly kind: 'drop'; readonly reason: string; readonly asOf: Date | null }
  /** The token or the message is wrong. The answers for other devices show which one it is. */
  | { readonly kind: 'suspect'; readonly reason: typeof SUSPICIOUS }
  /** This message cannot be sent to this token. The token is kept. */
  | { readonly kind: 'fail'; readonly reason: string }
  /** The provider refuses the app's credentials. Nothing more is sent through it until a person repairs them. */
  | { readonly kind: 'pause'; readonly reason: string }
  /** Not sent now. `all`: every push of the app through this provider waits. */
  | {
      readonly kind: 'wait';
      readonly whom: 'all' | 'device';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    }
  /** Not sent, for a reason that may pass. */
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The push may have been sent, but no answer came. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * An outcome or a doubt. A doubt means: the provider says that token and credentials do not belong together. One stray
 * token is no reason to stop all pushes of an app. `createDoubts` decides by the number of doubts in a row.
 */
export type ProviderVerdict =
  | PushOutcome
  | { readonly kind: 'doubt'; readonly reason: string; readonly clocks?: undefined }
  /** The provider says that a signature is too old. `clocks`: the time at the provider and our time, in words. */
  | { readonly kind: 'expired'; readonly reason: string; readonly clocks: string };

/** FCM's answer to a push that it did not take. */
export interface FcmAnswer {
  readonly status: number;
  /** `errorCode` of the FcmError in the answer's details. Null: the answer does not come from FCM itself. */
  readonly code: string | null;
  /** `reason` of the ErrorInfo in the details: why Google's front end refuses it, for example `SERVICE_DISABLED`. */
  readonly info: string | null;
  /** Fields of the request that are wrong according to the answer's details. */
  readonly wrongFields: readonly string[];
  readonly retryAfterMs: number | null;
}

/** APNs' answer to a push that it did not take. */
export interface ApnsAnswer {
  readonly status: number;
  readonly reason: string | null;
  /** Only for a 410: the time since when the token is of no use, in milliseconds since 1970. */
  readonly timestamp: number | null;
  /** The time at Apple, in milliseconds since 1970; null when the answer had no date. */
  readonly date: number | null;
  /** Our time when the answer came, in milliseconds since 1970. */
  readonly now: number;
  readonly retryAfterMs: number | null;
}

/** The allowed difference between two clocks, in milliseconds. A larger difference is named as the reason. */
const SKEW_MS = 300_000;

function clocksOf({ date, now }: ApnsAnswer): string {
  const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return `our clock says ${at(now)}, Apple's ${date === null ? 'was not told' : `says ${at(date)}`}`;
}

/** Apple calls a signature with a future time invalid, not expired. So the reason names clocks that differ. */
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

/** Verdicts by the code of the FcmError. */
const fcmCodes: Record<string, Row<FcmAnswer>> = {
  UNREGISTERED: drop,
  // FCM also gives this answer for a wrong message, and then for every token. It may name the wrong field.
  [SUSPICIOUS]: (answer) => {
    if (answer.wrongFields.includes('message.token')) return drop(answer);
    return answer.wrongFields.length > 0 ? fail(answer) : { kind: 'suspect', reason: SUSPICIOUS };
  },
  // The token belongs to another project. Either one app among many sent it, or the credentials are the wrong ones.
  SENDER_ID_MISMATCH: doubt,
  // Firebase cannot reach Apple for this project. The project's Android devices are not affected.
  THIRD_PARTY_AUTH_ERROR: doubt,
  APNS_AUTH_ERROR: doubt,
  QUOTA_EXCEEDED: wait('all'),
  UNAVAILABLE: wait('all'),
  INTERNAL: retry,
};

/** Verdicts for answers without an FcmError. They come from Google's front end, or from something in front of it. */
const fcmStatuses: Record<number, Row<FcmAnswer>> = {
  401: pause,
  403: pause,
  // The project does not exist. The answer says nothing about the token.
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

/** Verdicts by the reason in the answer. Apple's list: "Handling notification responses from APNs". */
const apnsReasons: Record<string, Row<ApnsAnswer & { environment: PushEnvironment | null }>> = {
  Unregistered: gone,
  ExpiredToken: gone,
  // The production host also gives this answer for a sandbox token. So it counts only for a known environment.
  BadDeviceToken: (answer) => (answer.environment === null ? fail(answer) : drop(answer)),
  // The token belongs to another app of the team, or the bundle id is wrong.
  DeviceTokenNotForTopic: doubt,
  TopicDisallowed: doubt,
  BadTopic: doubt,
  MissingTopic: doubt,
  // The key is for one environment only. Devices of the other environment are no reason to stop all pushes.
  BadEnvironmentKeyIdInToken: doubt,
  BadEnvironmentKeyInToken: doubt,
  // The next push gets a new signature. If that is too old as well, one of the clocks is wrong.
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

/** @param environment the environment of the token; null when the app did not report it */
export const apnsVerdict = (answer: ApnsAnswer, environment: PushEnvironment | null): ProviderVerdict =>
  look({ ...answer, environment }, answer.reason, apnsReasons, apnsStatuses[answer.status]);

/** For answers that no table has: a 4xx is about this push, a 5xx may pass, others do not come from a provider. */
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
 * Returns the outcome when Google gives no access token.
 * @param error Google's OAuth error code; null when there was none
 * @param status null when there was no answer
 */
export function noAccessToken(error: string | null, status: number | null, retryAfterMs: number | null): PushOutcome {
  const refused = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (refused) return { kind: 'pause', reason: error ?? `http-${status}` };
  return { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs };
}

/** @param unsent true when no part of the push can have reached the provider */
export const noAnswer = (unsent: boolean, timedOut: boolean): PushOutcome =>
  unsent
    ? { kind: 'retry', reason: 'unreachable', retryAfterMs: null }
    : { kind: 'unknown', reason: timedOut ? 'timeout' : 'connection-lost' };

const LONGEST_WAIT_MS = 3_600_000;

/** Reads a `Retry-After` header (seconds or a date): the wait in milliseconds, at most one hour. Null: no wait. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}
