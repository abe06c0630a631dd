// Defines every error answer: one format and one table of codes.
import { Busy, NoAnswer } from '@landfall/bus';
import type * as contracts from '@landfall/contracts';
import type { RefusalOf } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';
import { knownFields, unknownField } from './strict.ts';

type CodeOf<D> = [RefusalOf<D>] extends [never] ? never : RefusalOf<D>['code'];
type RefusalCode = { [N in keyof typeof contracts]: CodeOf<(typeof contracts)[N]> }[keyof typeof contracts];

/** Error codes of the gateway itself. Spec 7. */
const own = {
  INVALID_REQUEST: 400,
  INVALID_JSON: 400,
  UNAUTHORIZED: 401,
  MOBILE_KEY_NEEDED: 401,
  SERVER_KEY_NEEDED: 401,
  NOT_SIGNED_IN: 401,
  CROSS_SITE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  DOMAIN_UNPROVEN: 409,
  RATE_LIMITED: 429,
  TOO_MANY_STREAMS: 429,
  SIGN_IN_BUSY: 429,
  IDENTITY_TOKEN_INVALID: 401,
  WRONG_ADDRESS_FAMILY: 400,
  FAILED: 500,
  BUSY: 503,
  NO_ANSWER: 503,
  DNS_SILENT: 503,
} as const;

/** Codes with which a service may refuse. A declared code that is not listed here does not compile. */
const refused = {
  APP_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  LOGO_NOT_FOUND: 404,
  NOTIFICATION_NOT_FOUND: 404,
  DEVICE_NOT_FOUND: 404,
  PROVIDER_NOT_FOUND: 404,
  PUSH_BEGUN: 409,
  PUSH_CREDENTIALS_REFUSED: 400,
  PUSH_SENT: 409,
  PUSH_TOO_LARGE: 400,
  PUSH_WITHOUT_TITLE: 400,
  KEY_NOT_FOUND: 404,
  KEY_RETIRED: 409,
  IDENTITY_SECRET_NEEDED: 409,
  IDENTITY_SECRET_NOT_FOUND: 404,
  KEY_UNKNOWN: 401,
  TOKEN_UNKNOWN: 401,
  GENERATED_LINKS_LIMIT_REACHED: 403,
  IDEMPOTENCY_KEY_REUSED: 400,
  SUBDOMAIN_TAKEN: 409,
  SUBDOMAIN_RESERVED: 409,
  ALREADY_MEMBER: 409,
  CODE_UNKNOWN: 401,
  EMAIL_NOT_VERIFIED: 403,
  FORBIDDEN: 403,
  INVITATION_NOT_FOUND: 404,
  INVITED_OTHER: 403,
  LAST_OWNER: 409,
  DOMAIN_EXISTS: 409,
  DOMAIN_NOT_FOUND: 404,
  DOMAIN_NOT_VERIFIED: 409,
  DOMAIN_TAKEN: 409,
  TEAM_HAS_APPS: 409,
  TOO_MANY_APPS: 409,
  TOO_MANY_DOMAINS: 409,
  TOO_MANY_SUBDOMAINS: 409,
  TOO_MANY_TEAMS: 409,
  MEMBER_NOT_FOUND: 404,
  CATCHING_UP: 503,
  NO_ACCOUNT: 403,
  OTHER_IDENTITY: 409,
  PASSWORD_COMMON: 400,
  PASSWORD_FIRST: 403,
  PASSWORD_TOO_SHORT: 400,
  PERSON_EXISTS: 409,
  PERSON_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  SESSION_UNKNOWN: 401,
  SET_UP_DONE: 409,
  SIGN_IN_DELAYED: 429,
  SIGN_IN_USED: 409,
  TEAM_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  VERSION_MISMATCH: 412,
  WRONG_CREDENTIALS: 401,
  RANGE_EMPTY: 400,
  RANGE_TOO_LONG: 400,
  DIMENSION_UNKNOWN: 400,
  QUESTION_TOO_LARGE: 400,
  TOO_MANY_QUESTIONS: 429,
} as const satisfies Record<RefusalCode, number>;

export const statusOf = { ...own, ...refused };
export type ErrorCode = keyof typeof statusOf;

const sentences: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'The request is not valid.',
  INVALID_JSON: 'The request body is not valid JSON.',
  UNAUTHORIZED: 'The API key is missing or invalid.',
  MOBILE_KEY_NEEDED: 'A server key is not accepted here. Use a mobile key: this route is for apps.',
  SERVER_KEY_NEEDED: 'A mobile key is not accepted here. Use a server key: this route is for backends.',
  NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'This path does not support the method.',
  BODY_TOO_LARGE: 'The request body is too large: the limit is 64 KB, or 1 MB for links in bulk and for pushes.',
  UNSUPPORTED_MEDIA_TYPE: 'The request body must be application/json in UTF-8.',
  TOO_MANY_STREAMS: 'Too many live streams are open: close one of them.',
  RATE_LIMITED: 'Too many requests from this address, or with this server key.',
  SIGN_IN_BUSY: 'Too many people sign in at once: try again in a moment. The credentials were not checked.',
  WRONG_ADDRESS_FAMILY: 'The request did not come over IPv6. Call this path on a host that has an AAAA record only.',
  FAILED: 'Something went wrong on our side.',
  BUSY: 'The service is busy and nothing was done. Repeat the request.',
  NO_ANSWER:
    'No answer came in time. It is unknown whether the request was executed. Repeat with the same Idempotency-Key: without one, a repeat may do it twice.',
  DNS_SILENT: 'The DNS servers of this domain do not answer: check its DNS zone, and try again.',
  APP_NOT_FOUND: 'There is no such app, or it is archived.',
  DOMAIN_EXISTS: 'The app already has this domain.',
  DOMAIN_NOT_FOUND: 'The app has no such domain.',
  DOMAIN_NOT_VERIFIED: 'Only a verified domain of the app can carry its links.',
  DOMAIN_TAKEN: 'This domain is in use by another app: it must be removed there first.',
  DOMAIN_UNPROVEN: 'The TXT record of this domain was not found.',
  TEAM_HAS_APPS: 'The team has apps: give them to another team, or archive them first.',
  TOO_MANY_APPS: 'The team has reached its limit of apps, archived ones included: ask an owner of the installation.',
  TOO_MANY_SUBDOMAINS:
    'The app has reached its limit of former subdomains: take one of them back, or ask an owner of the installation.',
  TOO_MANY_TEAMS: 'You have reached your limit of own teams: ask an owner of the installation.',
  TOO_MANY_DOMAINS: 'An app can have at most 20 domains.',
  LINK_NOT_FOUND: 'There is no such link.',
  LOGO_NOT_FOUND: 'There is no such logo.',
  NOTIFICATION_NOT_FOUND: 'There is no such notification.',
  RANGE_EMPTY: '`to` must be after `from`.',
  RANGE_TOO_LONG: 'The range has too many buckets: choose a longer `interval`, or a shorter range.',
  QUESTION_TOO_LARGE: 'Too many events must be read for this question: choose a shorter range, or fewer filters.',
  TOO_MANY_QUESTIONS: 'Too many questions to analytics wait for an answer: ask fewer at the same time.',
  DIMENSION_UNKNOWN: 'This metric cannot be split or filtered by this dimension.',
  DEVICE_NOT_FOUND: 'The app has no such device.',
  PROVIDER_NOT_FOUND: 'The app has no credentials for this provider.',
  PUSH_BEGUN: 'The push is no longer scheduled: it is being sent, was sent, or was cancelled.',
  PUSH_SENT: 'The push was sent to all of its devices: there is nothing left to stop.',
  PUSH_WITHOUT_TITLE: 'A push that is not silent needs a title or a body.',
  PUSH_CREDENTIALS_REFUSED: 'The provider refuses these credentials.',
  PUSH_TOO_LARGE: 'The push is larger than a provider accepts: shorten its texts or its metadata.',
  KEY_NOT_FOUND: 'The app has no such key.',
  KEY_RETIRED: 'This key was revoked or already rotated: rotate its successor, or create another key.',
  IDENTITY_SECRET_NEEDED: 'The app needs a secret that checks tokens: create one first, or set identity to off.',
  IDENTITY_SECRET_NOT_FOUND: 'The app has no such secret, or it has expired.',
  IDENTITY_TOKEN_INVALID: 'The identity token is not valid.',
  KEY_UNKNOWN: 'The API key is missing or invalid.',
  TOKEN_UNKNOWN: 'The token is missing or invalid.',
  GENERATED_LINKS_LIMIT_REACHED: 'The limit of generated links of the plan for this month is reached.',
  IDEMPOTENCY_KEY_REUSED: 'This idempotency key was used with another request body.',
  SUBDOMAIN_TAKEN: 'Another app has or had this subdomain.',
  SUBDOMAIN_RESERVED: 'This subdomain is reserved.',
  NOT_SIGNED_IN: 'Sign in, or send a token.',
  CROSS_SITE: 'This request comes from another site, or lacks the header x-landfall.',
  ALREADY_MEMBER: 'This person is already in the team.',
  CODE_UNKNOWN: 'This code is not valid, or was already used.',
  EMAIL_NOT_VERIFIED: 'The provider has not verified your email.',
  FORBIDDEN: 'Your role, or the scope of your token, does not allow this.',
  INVITATION_NOT_FOUND: 'There is no such invitation, or it was used, was withdrawn or has expired.',
  INVITED_OTHER: 'This invitation is for another email: sign in with that email.',
  LAST_OWNER: 'A team must have at least one owner.',
  MEMBER_NOT_FOUND: 'The team has no such member.',
  CATCHING_UP: 'The taps of the last seconds are still being stored, so no link was given. Repeat the request later.',
  NO_ACCOUNT: 'There is no account with your email: ask for an invitation.',
  OTHER_IDENTITY: 'This account is linked to another identity at the provider.',
  PASSWORD_COMMON: 'This password is among the most common ones.',
  PASSWORD_FIRST: 'First sign in once with your password in this browser, then through the provider.',
  PASSWORD_TOO_SHORT: 'A password must have at least 10 characters.',
  PERSON_EXISTS: 'An account with this email exists: sign in, and accept the invitation.',
  PERSON_NOT_FOUND: 'There is no such person.',
  SESSION_NOT_FOUND: 'There is no such session.',
  SESSION_UNKNOWN: 'Sign in, or send a token.',
  SET_UP_DONE: 'This instance already has an owner.',
  SIGN_IN_DELAYED: 'Too many failed sign-ins: wait before you try again.',
  SIGN_IN_USED: 'This sign-in was already used.',
  TEAM_NOT_FOUND: 'There is no such team.',
  TOKEN_NOT_FOUND: 'There is no such token.',
  VERSION_MISMATCH: 'It has changed since you read it: read it again.',
  WRONG_CREDENTIALS: 'The email or the password is wrong.',
};

/** An error in one field. `path` is its name in the body or query, e.g. `metadata.utm.source`. */
export interface Detail {
  path: string;
  message: string;
}

/** Our own messages continue after the field's name. Those of zod are complete sentences. */
const sentenceOf = ({ path, message }: Detail): string =>
  /^[A-Z]/.test(message) ? `${path}: ${message}` : `${path} ${message}`;

/** An answer that is not a success. Routes and middleware throw it, and one handler sends it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Detail[] | undefined;
  /** More fields of the body, and headers. */
  readonly more: { body?: object; headers?: Record<string, string> };

  constructor(
    code: ErrorCode,
    details?: readonly Detail[],
    more: { body?: object; headers?: Record<string, string> } = {},
  ) {
    super(details?.[0] ? sentenceOf(details[0]) : sentences[code]);
    this.code = code;
    this.details = details;
    this.more = more;
  }
}

/** Returns the error for a method that the path does not support. `Allow` lists the supported ones. */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', undefined, { headers: { Allow: allowed.join(', ') } });

/** Returns the error for a request that does not fit its schema. */
export function invalid(error: z.ZodError): ApiError {
  // Unknown fields come first: a misspelt field is the reason why the right one is missing.
  const unknown = error.issues.filter((issue) => knownFields(issue));
  const others = error.issues.filter((issue) => !knownFields(issue));
  return new ApiError('INVALID_REQUEST', [...unknown, ...others].slice(0, MOST_DETAILS).map(detailOf));
}

const MOST_DETAILS = 20;

function detailOf(issue: z.core.$ZodIssue): Detail {
  const known = knownFields(issue);
  const message = known ? unknownField(String(issue.path.at(-1)), known) : issue.message;
  return { path: issue.path.join('.') || 'body', message };
}

/** Returns the error for a refusal. */
export const refusal = (refused: { code: ErrorCode }): ApiError => new ApiError(refused.code);

const RETRY_SECONDS = '1';

/** Turns anything thrown into an error answer. An unexpected error is logged, and its details are not sent. */
export function toApiError(error: unknown, log: Logger, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Busy) return new ApiError('BUSY', undefined, { headers: { 'Retry-After': RETRY_SECONDS } });
  if (error instanceof NoAnswer)
    return new ApiError('NO_ANSWER', undefined, { headers: { 'Retry-After': RETRY_SECONDS } });
  const fromBody = bodyError(error);
  if (fromBody) return fromBody;
  log.error({ err: error, requestId }, 'a request failed unexpectedly');
  return new ApiError('FAILED');
}

/** Converts errors of express's JSON parser and path decoder, by status and type. They are faults of the caller. */
function bodyError(error: unknown): ApiError | null {
  if (typeof error !== 'object' || error === null || !('status' in error)) return null;
  const { status, type } = error as { status: unknown; type?: unknown };
  if (status === 413) return new ApiError('BODY_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (status === 400) return new ApiError(type === 'entity.parse.failed' ? 'INVALID_JSON' : 'INVALID_REQUEST');
  return null;
}

/** Returns the body of an error: spec 7, with a machine-readable code. */
export const errorBody = (error: ApiError): object => ({
  error: error.message,
  code: error.code,
  ...(error.details && { details: error.details }),
  ...error.more.body,
});
