// JSON bodies: 64 KB at the most, and nothing in them that would hurt further inside.
import express, { type Request, type Response } from 'express';
import { ApiError, type Detail } from './errors.ts';

const parse = express.json({ limit: '64kb', strict: false, inflate: true });

/** Reads and parses the body. Rejects with an ApiError, or with what express's parser throws (see errors.ts). */
export async function readBody(req: Request, res: Response): Promise<unknown> {
  // Express would make an empty object of an empty body.
  if (!hasBody(req)) return undefined;
  if (!isJson(req.headers['content-type'])) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  await new Promise<void>((resolve, reject) =>
    parse(req, res, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  const fault = findFault(req.body);
  if (fault) throw new ApiError('INVALID_REQUEST', [fault]);
  return req.body;
}

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');

/**
 * Looks through the whole value once, by a loop, because it may be nested thousands of levels deep: for `__proto__` as
 * a key (others would drop it silently) and for strings that PostgreSQL or a strict JSON reader would refuse.
 */
function findFault(body: unknown): Detail | null {
  const open: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const message = stringFault(value);
      if (message) return { path: path || 'body', message };
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
