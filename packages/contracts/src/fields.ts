// The fields that messages are made of. Messages are JSON: no Date, no Buffer, no undefined that matters.
import { z } from 'zod';

/** A string from outside: bounded, well-formed Unicode (no lone surrogates), no NUL, which PostgreSQL cannot hold. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is refused
    .regex(/^[^\u0000]*$/, 'must not contain NUL')
    .refine((s) => s.isWellFormed(), { error: 'must be well-formed Unicode' });

export const uuid = () => z.uuid();

/** A time as ISO 8601 in UTC with milliseconds, e.g. `2026-11-21T15:04:05.000Z`. */
export const instant = () => z.iso.datetime({ precision: 3 });

/** 32 bytes as base64url: a SHA-256, or the HMAC-SHA-256 of something personal. */
export const hash = () => z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url');

/**
 * What a person gave us, encrypted by who took it for who needs it, and for one purpose: it lies in no topic, log or dead
 * letter as it is. `createSealer` in runtime makes and opens it.
 */
export const sealed = (purpose: SealedFor) =>
  z
    .string()
    .max(8_192)
    .regex(/^v1\.[A-Za-z0-9_-]{38,}$/, 'must be sealed')
    .describe(`Sealed: ${purpose}.`);
/** `sign-in`: a way to a provider and back, which lies in a browser and travels in no message. */
export type SealedFor =
  | 'email'
  | 'password'
  | 'sign-in'
  | 'device token'
  | 'push credentials'
  | 'tapped url'
  | 'identity secret';

export type JsonObject = { [key: string]: unknown };

/** Metadata as given: at most 16 KB as JSON and 32 levels deep. */
export const METADATA_BYTES = 16_384;
export const METADATA_DEPTH = 32;

/** Depth by a loop, never by recursion: input may be nested tens of thousands of levels deep. */
function depthWithin(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'object' && item !== null) for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return true;
}

const isObject = (v: unknown): v is JsonObject => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Free key-value data. Checked in one pass without copying it, so that it is kept exactly as given. */
export const metadata = () =>
  z
    .custom<JsonObject>(isObject, { error: 'must be an object', abort: true })
    .refine((v) => depthWithin(v, METADATA_DEPTH), {
      error: `must be at most ${METADATA_DEPTH} levels deep`,
      abort: true,
    })
    .refine((v) => Buffer.byteLength(JSON.stringify(v)) <= METADATA_BYTES, {
      error: `must be at most ${METADATA_BYTES} bytes as JSON`,
    })
    .meta({ type: 'object', additionalProperties: true });

/** An object of any shape that one service made for itself. */
export const json = () =>
  z.custom<JsonObject>(isObject, { error: 'must be an object' }).meta({ type: 'object', additionalProperties: true });

/** Spec 4.2: a path inside the app, with an optional query; never a URL, so that nobody is sent elsewhere. */
export const destination = () =>
  text(2048)
    .regex(/^\/(?![/\\])/, 'must be a relative path: one "/" first, not followed by "/" or "\\"')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\\\u0000-\u001f\u007f-\u009f]*$/, 'must contain no backslash and no control character');

/** Where a page of a list ended: milliseconds and id of its last row. */
export const cursor = () =>
  z.string().regex(/^\d{1,15}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a `next` of the page before');

/** One page of a list, newest first: `limit` rows after the cursor that the page before it gave. */
export const page = { limit: z.int().min(1).max(100), cursor: cursor().nullable() };

/** The cursor after a row. */
export const cursorAfter = (row: { at: Date; id: string }): string => `${row.at.getTime()}_${row.id}`;

/** `next` of a page: null when fewer rows came than were asked for, which is the end. `time` is ISO 8601 or a Date. */
export function nextCursor<R extends { id: string }>(
  rows: readonly R[],
  limit: number,
  time: (row: R) => string | Date,
) {
  const last = rows.at(-1);
  return last && rows.length === limit ? cursorAfter({ at: new Date(time(last)), id: last.id }) : null;
}

/** What a cursor says; null for the first page. */
export function readCursor(value: string | null): { at: Date; id: string } | null {
  if (value === null) return null;
  const [at, id] = value.split('_') as [string, string];
  return { at: new Date(Number(at)), id };
}
