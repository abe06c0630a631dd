// Every answer that is not a success: one form, one table of codes.
import { Busy, NoAnswer } from '@landfall/bus';
import type * as contracts from '@landfall/contracts';
import type { RefusalOf } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';

type CodeOf<D> = [RefusalOf<D>] extends [never] ? never : RefusalOf<D>['code'];
type RefusalCode = { [N in keyof typeof contracts]: CodeOf<(typeof contracts)[N]> }[keyof typeof contracts];

/** What the gateway itself answers. Spec 7. */
const own = {
  INVALID_REQUEST: 400,
  INVALID_JSON: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  FAILED: 500,
  BUSY: 503,
  NO_ANSWER: 503,
} as const;

/** Every code that a service may refuse with. A code that is declared and not listed here does not compile. */
const refused = {
  APP_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  KEY_UNKNOWN: 401,
  TOKEN_UNKNOWN: 401,
  GENERATED_LINKS_LIMIT_REACHED: 403,
  IDEMPOTENCY_KEY_REUSED: 400,
  SUBDOMAIN_TAKEN: 409,
  SUBDOMAIN_RESERVED: 409,
} as const satisfies Record<RefusalCode, number>;

export const statusOf = { ...own, ...refused };
export type ErrorCode = keyof typeof statusOf;

const sentences: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'The request is not valid.',
  INVALID_JSON: 'The request body is not valid JSON.',
  UNAUTHORIZED: 'The API key is missing or invalid.',
  NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'This path does not support the method.',
  BODY_TOO_LARGE: 'The request body is larger than 64 KB.',
  UNSUPPORTED_MEDIA_TYPE: 'The request body must be application/json in UTF-8.',
  RATE_LIMITED: 'Too many requests from this address.',
  FAILED: 'Something went wrong on our side.',
  BUSY: 'The service is busy; nothing was done. Repeat the request.',
  NO_ANSWER: 'No answer came in time; whether it was done is unknown. Repeat with the same Idempotency-Key.',
  APP_NOT_FOUND: 'There is no such app.',
  LINK_NOT_FOUND: 'There is no such link.',
  KEY_NOT_FOUND: 'The app has no such key.',
  KEY_UNKNOWN: 'The API key is missing or invalid.',
  TOKEN_UNKNOWN: 'The token is missing or invalid.',
  GENERATED_LINKS_LIMIT_REACHED: "The plan's limit of generated links for this month is reached.",
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used with another request body.',
  SUBDOMAIN_TAKEN: 'Another app has or had this subdomain.',
  SUBDOMAIN_RESERVED: 'This subdomain is reserved.',
};

/** What is wrong with one field. `path` is its name in the body or query, e.g. `metadata.utm.source`. */
export interface Detail {
  path: string;
  message: string;
}

/** Our own messages go on after the name; those of zod are sentences by themselves. */
const sentenceOf = ({ path, message }: Detail): string =>
  /^[A-Z]/.test(message) ? `${path}: ${message}` : `${path} ${message}`;

/** An answer that is not a success. Thrown in routes and middleware, answered in one place. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Detail[] | undefined;
  /** Further fields of the body, and headers. */
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

/** A method that the path does not have, and those that it has. */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', undefined, { headers: { Allow: allowed.join(', ') } });

/** A request that does not fit its schema. */
export function invalid(error: z.ZodError): ApiError {
  const details = error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issue.path.join('.') || 'body', message: issue.message }));
  return new ApiError('INVALID_REQUEST', details);
}

/** A refusal as an answer. */
export const refusal = (refused: { code: ErrorCode }): ApiError => new ApiError(refused.code);

const RETRY_SECONDS = '1';

/** Whatever was thrown, as an answer. What nobody expected is logged and says nothing of itself. */
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

/** What express's JSON parser and path decoder throw: the caller's fault, by status and type. */
function bodyError(error: unknown): ApiError | null {
  if (typeof error !== 'object' || error === null || !('status' in error)) return null;
  const { status, type } = error as { status: unknown; type?: unknown };
  if (status === 413) return new ApiError('BODY_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (status === 400) return new ApiError(type === 'entity.parse.failed' ? 'INVALID_JSON' : 'INVALID_REQUEST');
  return null;
}

/** The body of an error: spec 7, with a code that programs can read. */
export const errorBody = (error: ApiError): object => ({
  error: error.message,
  code: error.code,
  ...(error.details && { details: error.details }),
  ...error.more.body,
});
