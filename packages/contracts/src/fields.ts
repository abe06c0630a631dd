// Fields of messages. Messages are JSON. They contain no Date and no Buffer, and undefined has no meaning.
import { z } from 'zod';

/** A string from outside: of a maximum length, well-formed Unicode, and without NUL, which PostgreSQL cannot store. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is refused
    .regex(/^[^\u0000]*$/, 'must not contain NUL')
    .refine((s) => s.isWellFormed(), { error: 'must be well-formed Unicode' });

export const uuid = () => z.uuid();

/** A value that may be null, and is null when it is left out. */
export const orNull = <S extends z.ZodType>(value: S) => value.nullable().default(null as never);

const completed = new WeakSet<z.core.$ZodType>();

/**
 * A part of a message that its senders always give with all of its fields. Defaults inside it are for messages from older
 * versions, which another process may send. So in one process the part is taken as it is.
 */
export function complete<S extends z.ZodType>(part: S): z.ZodType<z.output<S>, z.output<S>> {
  completed.add(part);
  return part as z.ZodType<z.output<S>, z.output<S>>;
}

/** Returns true for a part that {@link complete} returned. */
export const isComplete = (part: z.core.$ZodType): boolean => completed.has(part);

export function withoutDefaults<T extends z.ZodRawShape>(schema: z.ZodObject<T>) {
  const fields = Object.entries(schema.shape);
  const shape = Object.fromEntries(
    fields.map(([name, field]) => [name, field instanceof z.ZodDefault ? field.unwrap() : field]),
  );
  return z.object(shape as unknown as { [K in keyof T]: T[K] extends z.ZodDefault<infer I> ? I : T[K] });
}

/** Makes every field optional and removes its default, so that a change holds only the sent fields. */
export const changeOf = <T extends z.ZodRawShape>(schema: z.ZodObject<T>) => withoutDefaults(schema).partial();

/** A time as ISO 8601 in UTC with milliseconds, e.g. `2026-11-21T15:04:05.000Z`. */
export const instant = () => z.iso.datetime({ precision: 3 });

/** 32 bytes as base64url: a SHA-256, or the HMAC-SHA-256 of personal data. */
export const hash = () => z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url');

/** 8 bytes as base64url: the beginning of an HMAC-SHA-256 of a value that is only compared. */
export const shortHash = () => z.string().regex(/^[A-Za-z0-9_-]{11}$/, 'must be 8 bytes as base64url');

/** Personal data, encrypted for one purpose, so that no topic, log or dead letter has it. See `createSealer`. */
export const sealed = (purpose: SealedFor) =>
  z
    .string()
    .max(8_192)
    .regex(/^v1\.[A-Za-z0-9_-]{38,}$/, 'must be sealed')
    .describe(`Sealed: ${purpose}.`);
/**
 * `sign-in`: the state of a sign-in at a provider. A browser keeps this state, and no message carries it. `unsubscribe`: in
 * an address of an email.
 */
export type SealedFor =
  | 'email'
  | 'password'
  | 'sign-in'
  | 'sign-in step'
  | 'second factor'
  | 'device token'
  | 'push credentials'
  | 'tapped url'
  | 'identity secret'
  | 'pass of a share'
  | 'channel'
  | 'unsubscribe';

export type JsonObject = { [key: string]: unknown };

/** The limit of metadata in bytes as JSON: 16 KB. */
export const METADATA_BYTES = 16_384;
export const METADATA_DEPTH = 32;

/** A loop, not recursion: input may be nested tens of thousands of levels deep. */
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

/** Free key-value data. The check makes one pass and no copy, so the data is stored exactly as given. */
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

/** An object of any shape. One service makes it for its own use. */
export const json = () =>
  z.custom<JsonObject>(isObject, { error: 'must be an object' }).meta({ type: 'object', additionalProperties: true });

/** Spec 4.2: a path inside the app with its query, never a URL, so that no person is sent to another site. */
export const destination = () =>
  text(2048)
    .regex(/^\/(?![/\\])/, 'must be a relative path: one "/" first, not followed by "/" or "\\"')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\\\u0000-\u001f\u007f-\u009f]*$/, 'must contain no backslash and no control character');

export const cursorPattern = '\\d{1,15}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The position of the last row of a page: its time in milliseconds and its id. */
export const cursor = () => z.string().regex(new RegExp(`^${cursorPattern}$`), 'must be a `next` of the previous page');

/** One page of a list, newest first: `limit` rows after the cursor of the previous page. */
export const page = { limit: z.int().min(1).max(100), cursor: cursor().nullable() };

export const cursorAfter = (row: { at: Date; id: string }): string => `${row.at.getTime()}_${row.id}`;

/** Returns null at the end of the list, when the page has fewer rows than requested. */
export function nextCursor<R extends { id: string }>(
  rows: readonly R[],
  limit: number,
  time: (row: R) => string | Date,
) {
  const last = rows.at(-1);
  return last && rows.length === limit ? cursorAfter({ at: new Date(time(last)), id: last.id }) : null;
}

/** Parses a cursor. Returns null for the first page. */
export function readCursor(value: string | null): { at: Date; id: string } | null {
  if (value === null) return null;
  const [at, id] = value.split('_') as [string, string];
  return { at: new Date(Number(at)), id };
}

/** Returns a function that takes the fields of a schema from a row. Times become text. */
export const reader =
  <S extends z.ZodObject>({ shape }: S) =>
  (row: Record<keyof z.output<S>, unknown>): z.output<S> =>
    Object.fromEntries(
      Object.keys(shape).map((name) => {
        const value = (row as Record<string, unknown>)[name];
        return [name, value instanceof Date ? value.toISOString() : value];
      }),
    ) as z.output<S>;
