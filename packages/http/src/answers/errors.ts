// Defines every error answer: one format, with the codes of one table.
import { Busy, NoAnswer } from '@landfall/bus';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';
import type { Used } from '../limits/limits.ts';
import { knownFields, unknownField } from '../requests/strict.ts';
import { type ErrorCode, errorTable } from './error-table.ts';

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
    super(details?.[0] ? sentenceOf(details[0]) : errorTable[code][1]);
    this.code = code;
    this.details = details;
    this.more = more;
  }

  get status(): number {
    return errorTable[this.code][0];
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

/** Returns the value in the form of the schema. Throws 400 with the name of the field that does not fit. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const found = schema.safeParse(value);
  if (!found.success) throw invalid(found.error);
  return found.data;
}

const MOST_DETAILS = 20;

function detailOf(issue: z.core.$ZodIssue): Detail {
  const known = knownFields(issue);
  const message = known ? unknownField(String(issue.path.at(-1)), known) : issue.message;
  return { path: issue.path.join('.') || 'body', message };
}

const soon = { headers: { 'Retry-After': '1' } };

/** Returns the error for a request that was not begun. */
export const busy = (): ApiError => new ApiError('BUSY', undefined, soon);

/** Returns the error for a call over its limit. */
export const rateLimited = ({ resetSeconds }: Used): ApiError =>
  new ApiError('RATE_LIMITED', undefined, { headers: { 'Retry-After': `${resetSeconds}` } });

/** Turns anything thrown into an error answer. An unexpected error is logged, and its details are not sent. */
export function toApiError(error: unknown, log: Logger, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Busy) return busy();
  if (error instanceof NoAnswer) return new ApiError('NO_ANSWER', undefined, soon);
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
