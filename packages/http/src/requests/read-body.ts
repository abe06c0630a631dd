// Reads JSON bodies. They have at most 64 KB unless a route allows more. It rejects values that would cause harm later.
import { ChangedNumber, parseExactly } from '@landfall/api-client/exact-json';
import express from 'express';
import { ApiError, type Detail } from '../answers/errors.ts';
import type { HttpRequest, HttpResponse } from './http-messages.ts';

const MAX_BYTES = 65_536;
type Reader = ReturnType<typeof express.text>;
const readers = new Map<number, Reader>();

function readerFor(maxBytes: number): Reader {
  const known = readers.get(maxBytes) ?? express.text({ limit: maxBytes, inflate: true, type: () => true });
  readers.set(maxBytes, known);
  return known;
}

export interface BodyOptions {
  bodyBytes?: number | undefined;
  /** True when the handler calls `findFault` for each row. */
  faultsByRow?: boolean | undefined;
}

/** Reads and parses the body. Rejects with an ApiError, or with an error of express's parser (see errors.ts). */
export async function readBody(
  req: HttpRequest,
  res: HttpResponse,
  { bodyBytes: maxBytes = MAX_BYTES, faultsByRow = false }: BodyOptions = {},
): Promise<unknown> {
  // Express would turn an empty body into an empty object.
  if (!hasBody(req)) return undefined;
  if (!isJson(req.headers['content-type'])) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  const text = isPlain(req, maxBytes)
    ? utf8.decode(await readPlain(req))
    : await readAny(req, res, readerFor(maxBytes));
  // The stream was empty.
  if (text === '') return undefined;
  const body = parse(text);
  const fault = faultsByRow ? null : findFault(body);
  if (fault) throw new ApiError('INVALID_REQUEST', [fault]);
  return body;
}

/** Reads everything that express can read: compressed, chunked, and other spellings of the type. */
async function readAny(req: HttpRequest & { body?: string }, res: HttpResponse, read: Reader): Promise<string> {
  await new Promise<void>((resolve, reject) =>
    read(req as never, res as never, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  return req.body ?? '';
}

const PLAIN_TYPES = new Set(['application/json', 'application/json; charset=utf-8']);

/** True for the usual request. Express's parser would take a sixth of the time of a whole create. */
const isPlain = ({ headers }: HttpRequest, maxBytes: number): boolean =>
  headers['content-encoding'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  PLAIN_TYPES.has(headers['content-type']!) &&
  Number(headers['content-length']) <= maxBytes;

function readPlain(req: HttpRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // The client left before the end of the body.
    req.once('error', () => reject(new ApiError('INVALID_REQUEST')));
  });
}

/** Decodes as express does: it removes a byte order mark and replaces invalid UTF-8. */
const utf8 = new TextDecoder();

function parse(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw new ApiError('INVALID_JSON');
    throw new ApiError('INVALID_REQUEST', [{ path: 'body', message: 'is nested too deeply' }]);
  }
}

const hasBody = (req: HttpRequest): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** True for JSON in any encoding of Unicode. JSON allows no other. */
const isJson = (type = ''): boolean =>
  /^application\/json\s*(?:;|$)/i.test(type) && !/;\s*charset\s*=(?!\s*"?utf-)/i.test(type);

/**
 * Checks the whole value once. It uses a loop, because the value may be nested thousands of levels deep. It finds
 * `__proto__` as a key (others would drop it silently), strings that PostgreSQL or a strict JSON reader would refuse,
 * and numbers that would change.
 */
export function findFault(body: unknown): Detail | null {
  const open: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const message = stringFault(value);
      if (message) return { path: path || 'body', message };
    } else if (value instanceof ChangedNumber) {
      return { path: path || 'body', message: value.fault };
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        // The path is for people, so it stops growing after a few levels.
        const childPath = path.length > 200 ? path : path === '' ? key : `${path}.${key}`;
        if (key === '__proto__') return { path: '__proto__', message: 'is not allowed as a key' };
        const message = stringFault(key);
        if (message) return { path: path || 'body', message: `has a key that ${message}` };
        if (typeof child === 'string' || (typeof child === 'object' && child !== null))
          open.push({ value: child, path: childPath });
      }
    }
  }
  return null;
}

function stringFault(value: string): string | null {
  if (value.includes('\0')) return 'must not contain NUL';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}
