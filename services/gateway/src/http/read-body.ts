// JSON bodies: 64 KB at the most unless a route says more, and nothing in them that would hurt further inside.
import express, { type Request, type Response } from 'express';
import { ApiError, type Detail } from './errors.ts';
import { ChangedNumber, parseExactly } from './exact-json.ts';

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
  /** The handler calls `findFault` for each row. */
  faultsByRow?: boolean | undefined;
}

/** Reads and parses the body. Rejects with an ApiError, or with what express's parser throws (see errors.ts). */
export async function readBody(
  req: Request,
  res: Response,
  { bodyBytes: maxBytes = MAX_BYTES, faultsByRow = false }: BodyOptions = {},
): Promise<unknown> {
  // Express would make an empty object of an empty body.
  if (!hasBody(req)) return undefined;
  if (!isJson(req.headers['content-type'])) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  const text = isPlain(req, maxBytes)
    ? utf8.decode(await readPlain(req))
    : await readAny(req, res, readerFor(maxBytes));
  // A stream that brought nothing.
  if (text === '') return undefined;
  const body = parse(text);
  const fault = faultsByRow ? null : findFault(body);
  if (fault) throw new ApiError('INVALID_REQUEST', [fault]);
  return body;
}

/** Reads every body that express can read: compressed, chunked, in other spellings of the type. */
async function readAny(req: Request, res: Response, read: Reader): Promise<string> {
  await new Promise<void>((resolve, reject) =>
    read(req, res, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  return req.body ?? '';
}

const PLAIN_TYPES = new Set(['application/json', 'application/json; charset=utf-8']);

/**
 * Reads the body that nearly every client sends: UTF-8 of a stated length. Express would take a sixth of the time of a
 * whole create.
 */
const isPlain = ({ headers }: Request, maxBytes: number): boolean =>
  headers['content-encoding'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  PLAIN_TYPES.has(headers['content-type']!) &&
  Number(headers['content-length']) <= maxBytes;

function readPlain(req: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // The client went away in the middle.
    req.once('error', () => reject(new ApiError('INVALID_REQUEST')));
  });
}

/** As express does: without a byte order mark, and with what is no UTF-8 replaced. */
const utf8 = new TextDecoder();

function parse(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw new ApiError('INVALID_JSON');
    throw new ApiError('INVALID_REQUEST', [{ path: 'body', message: 'is nested too deeply' }]);
  }
}

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** In an encoding of Unicode, whichever: JSON has no other. */
const isJson = (type = ''): boolean =>
  /^application\/json\s*(?:;|$)/i.test(type) && !/;\s*charset\s*=(?!\s*"?utf-)/i.test(type);

/**
 * Looks through the whole value once, by a loop, because it may be nested thousands of levels deep: for `__proto__` as
 * a key (others would drop it silently), for strings that PostgreSQL or a strict JSON reader would refuse, and for numbers
 * that would be changed.
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
        // The path serves people: past a few levels it stops growing.
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
