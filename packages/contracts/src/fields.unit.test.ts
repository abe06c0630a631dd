// Tests of the fields that check outside input. The tests compare each field with a second implementation of the same
// rules.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cursor,
  cursorAfter,
  destination,
  hash,
  instant,
  METADATA_BYTES,
  METADATA_DEPTH,
  metadata,
  readCursor,
  text,
} from './index.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

/**
 * Generates any 16-bit units and halves of surrogate pairs. Units that matter to the rules are far more frequent than
 * by chance.
 */
const unit = fc.oneof(
  fc.constantFrom('/', '\\', '.', ':', '?', '#', '@', 'a', '%', ' ', '\n', '\r', '\t', '\0', '\x1f', '\x7f', '\x9f'),
  fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', 'é', '\u2028', '\u202e', '\uffff', '／', '＼'),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
);
const anyText = (max: number) => fc.array(unit, { maxLength: max }).map((units) => units.join(''));

/**
 * Counts the characters as code points, as PostgreSQL does. An emoji is one character. Half a surrogate pair is also
 * one character.
 */
const characters = (value: string) => [...value].length;

/** Checks the Unicode in another way: encodeURIComponent throws on half a surrogate pair. */
function wellFormed(value: string): boolean {
  try {
    encodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

describe('text', () => {
  test('is bounded, well-formed and without NUL, with no other rule', () => {
    fc.assert(
      fc.property(anyText(12), fc.integer({ min: 0, max: 12 }), (value, max) => {
        const right = characters(value) <= max && wellFormed(value) && !value.includes('\0');
        expect(accepts(text(max), value)).toBe(right);
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps its value, and is a string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        fc.pre(!value.includes('\0'));
        expect(text(1_000).parse(value)).toBe(value);
      }),
    );
    for (const value of [1, null, undefined, {}, ['a'], new String('a')]) expect(accepts(text(10), value)).toBe(false);
  });
});

const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0);

function isDestination(value: string): boolean {
  if (characters(value) > 2048 || value[0] !== '/' || value[1] === '/' || !wellFormed(value)) return false;
  for (let i = 0; i < value.length; i++) if (value[i] === '\\' || isControl(value.charCodeAt(i))) return false;
  return true;
}

describe('destination', () => {
  const start = fc.constantFrom('', '/', '/', '/', '//', '/\\', '/a', '\\', 'https://', '/\t/', ' /');

  test('is a path inside the app', () => {
    fc.assert(
      fc.property(start, anyText(8), (first, rest) => {
        expect(accepts(destination(), first + rest)).toBe(isDestination(first + rest));
      }),
      { numRuns: 1_000 },
    );
  });

  test('never leads to another host, with any resolver', () => {
    fc.assert(
      fc.property(start, anyText(8), (first, rest) => {
        fc.pre(accepts(destination(), first + rest));
        expect(new URL(first + rest, 'https://app.example').origin).toBe('https://app.example');
      }),
      { numRuns: 1_000 },
    );
  });

  test('has at most 2048 characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2040, max: 2056 }), fc.constantFrom('a', 'é', '😀'), (length, char) => {
        expect(accepts(destination(), `/${char.repeat(length - 1)}`)).toBe(length <= 2048);
      }),
    );
  });

  test.each([
    '',
    'a',
    '//',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    '\\',
    'https://evil.example',
    ' /a',
    '/\t/evil.example',
    '/a\n',
    '/a\0',
    '/a\x7f',
    '/a\x85',
    '/\ud800',
    null,
    1,
    ['/a'],
  ])('is never %j', (value) => {
    expect(accepts(destination(), value)).toBe(false);
  });
});

/** Nests objects. The innermost object holds a number. */
function nested(levels: number, wrap: (inner: unknown) => unknown = (inner) => ({ a: inner })): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

/** Measures the depth with recursion. The field itself must not use recursion. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('metadata', () => {
  test('is any object within its bounds, stored as given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 40 })), (value) => {
        fc.pre(depthOf(value) <= METADATA_DEPTH);
        expect(metadata().parse(value)).toBe(value);
      }),
    );
    for (const value of [null, undefined, 1, 'a', [], [{}]]) expect(accepts(metadata(), value)).toBe(false);
  });

  test('is at most 32 levels deep, with any kind of levels', () => {
    const wraps = [
      (inner: unknown) => ({ a: inner }),
      (inner: unknown) => [inner],
      (inner: unknown) => ({ b: 1, a: [inner] }),
    ];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...wraps), (levels, wrap) => {
        const value = { x: nested(levels, wrap) };
        expect(accepts(metadata(), value)).toBe(depthOf(value) <= METADATA_DEPTH);
      }),
    );
    expect(accepts(metadata(), nested(METADATA_DEPTH))).toBe(true);
    expect(accepts(metadata(), nested(METADATA_DEPTH + 1))).toBe(false);
  });

  test('may be 30,000 levels deep without overflowing the stack', () => {
    const deep = nested(30_000);
    expect(() => JSON.stringify(deep)).toThrow(RangeError);
    const result = metadata().safeParse(deep);
    expect(result.error?.issues.map(({ message }) => message)).toEqual(['must be at most 32 levels deep']);
    expect(accepts(metadata(), { a: nested(30_000, (inner) => [inner]) })).toBe(false);
  });

  test('has at most 16 KB as JSON, in bytes', () => {
    const around = Buffer.byteLength('{"a":""}');
    fc.assert(
      fc.property(
        fc.integer({ min: -8, max: 8 }),
        fc.constantFrom('a', 'é', '€', '😀', '"', '\n', '\ud800'),
        (more, char) => {
          const size = Buffer.byteLength(JSON.stringify(char)) - 2;
          const count = Math.floor((METADATA_BYTES - around) / size) + more;
          const value = { a: char.repeat(count) };
          expect(accepts(metadata(), value)).toBe(around + count * size <= METADATA_BYTES);
        },
      ),
    );
  });
});

test('an instant is what toISOString gives', () => {
  const years = {
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  };
  fc.assert(fc.property(fc.date(years), (date) => accepts(instant(), date.toISOString())));
  for (const wrong of [
    '2026-11-21',
    '2026-11-21T15:04:05Z',
    '2026-11-21T15:04:05.000+01:00',
    '2026-02-30T00:00:00.000Z',
  ])
    expect(accepts(instant(), wrong)).toBe(false);
});

test('a hash is 32 bytes as base64url', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 30, maxLength: 34 }), (bytes) => {
      expect(accepts(hash(), Buffer.from(bytes).toString('base64url'))).toBe(bytes.length === 32);
    }),
  );
  for (const wrong of ['a'.repeat(42), `${'a'.repeat(43)}\n`, `${'a'.repeat(42)}=`, `${'a'.repeat(42)}+`])
    expect(accepts(hash(), wrong)).toBe(false);
});

test('a cursor holds the row that it was made from', () => {
  const times = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, fc.uuid(), (at, id) => {
      expect(readCursor(cursor().parse(cursorAfter({ at, id })))).toEqual({ at, id });
    }),
  );
  expect(readCursor(null)).toBe(null);
});
