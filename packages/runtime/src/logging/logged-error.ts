// The fields of errors in logs. Libraries attach any objects to their errors: the driver of PostgreSQL its whole
// connection, with statements and the key that cancels them.
import { cutText } from '@landfall/contracts';

export interface LoggedError {
  type: string;
  message: string;
  /** For PostgreSQL the SQLSTATE, for a socket the name of the system error. */
  code?: string | number;
  stack?: string;
  cause?: LoggedError;
  /** The first few errors of an AggregateError. */
  errors?: LoggedError[];
}

const MAX_MESSAGE = 1_000;
const MAX_STACK = 4_000;
const MAX_CODE = 100;
const MAX_DEPTH = 4;
const MAX_ERRORS = 5;

/** Takes any thrown value. Never throws, even when a getter of the error throws. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: cut(error, MAX_MESSAGE) };
  const type = typeOf(error);
  const message = cut(read(error, 'message') ?? '', MAX_MESSAGE);
  const logged: LoggedError = { type, message };
  const code = read(error, 'code');
  if (typeof code === 'number') logged.code = code;
  else if (typeof code === 'string') logged.code = cut(code, MAX_CODE);
  const frames = framesOf(read(error, 'stack'));
  if (frames !== undefined) logged.stack = `${type}: ${message}${frames}`;
  if (depth >= MAX_DEPTH) return logged;
  const cause = read(error, 'cause');
  if (typeof cause === 'object' && cause !== null) logged.cause = loggedError(cause, depth + 1);
  const errors = read(error, 'errors');
  if (Array.isArray(errors)) logged.errors = errors.slice(0, MAX_ERRORS).map((one) => loggedError(one, depth + 1));
  return logged;
}

export function errorText(error: unknown): string {
  const { type, message, code, stack, cause, errors } = loggedError(error);
  const own = `${stack ?? `${type}: ${message}`}${code === undefined ? '' : `\n  code: ${code}`}`;
  const inner = [...(cause ? [cause] : []), ...(errors ?? [])].map((one) => `\n  ${one.stack ?? one.message}`);
  return own + inner.join('');
}

/** Converts every error in the fields of a log line. */
export function withLoggedErrors(fields: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    // The field `err` holds the thrown value, which may be something other than an error.
    if (!(value instanceof Error) && (name !== 'err' || value === undefined)) continue;
    copy ??= { ...fields };
    copy[name] = loggedError(value);
  }
  return copy ?? fields;
}

function typeOf(error: object): string {
  const made = read(error, 'constructor');
  const name = typeof made === 'function' ? made.name : read(error, 'name');
  return cut(typeof name === 'string' && name !== '' ? name : 'Error', MAX_CODE);
}

function read(from: object, name: string): unknown {
  try {
    return (from as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Returns the frames of a stack, without the full message at its beginning. */
function framesOf(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const at = stack.search(/\n\s+at /);
  return at < 0 ? '' : stack.slice(at, at + MAX_STACK);
}

function cut(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value : printed(value);
  return text.length > length ? `${cutText(text, length)}…` : text;
}

function printed(value: unknown): string {
  return typeof value === 'object' || typeof value === 'function' ? typeof value : String(value);
}
