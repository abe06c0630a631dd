import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayOf, type ColumnType } from './binary-array.ts';
import { suiteDatabase } from './fixture.testing.ts';

const made = suiteDatabase(2);

const time = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
// PostgreSQL has no text with a zero character, and lone surrogates are no text.
const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'));
const bytes = fc.uint8Array().map((all) => Buffer.from(all));

/** The values of each type, and how they are read. */
const kinds: Record<ColumnType, { values: fc.Arbitrary<unknown>; read?: string; readAs?: (value: never) => unknown }> =
  {
    uuid: { values: fc.uuid() },
    text: { values: fc.oneof(text, fc.constantFrom('', 'NULL', '"', '\\', '{}', 'a,b')) },
    json: { values: fc.json(), read: 'v::text' },
    jsonb: { values: fc.json({ noUnicodeString: true }).filter((one) => !one.includes('\\u0000')), readAs: JSON.parse },
    bytea: { values: bytes },
    timestamptz: { values: time },
    date: { values: time.map((at) => at.toISOString().slice(0, 10)), read: 'v::text' },
    smallint: { values: fc.integer({ min: -32_768, max: 32_767 }) },
    int: { values: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
    bigint: { values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), readAs: String },
    boolean: { values: fc.boolean() },
  };

const read = async (type: string, array: Buffer, column = 'v') =>
  (
    await made.database.rows<{ v: unknown }>(
      `select ${column} as v from unnest($1::${type}[]) with ordinality as t(v, n) order by n`,
      [array],
    )
  ).map(({ v }) => v);

describe('PostgreSQL reads the arrays that were written', () => {
  it.each(Object.keys(kinds) as ColumnType[])('%s', async (type) => {
    const { values, read: column, readAs = (value: unknown) => value } = kinds[type];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(values)), async (many) => {
        const wanted = many.map((value) => (value === null ? null : readAs(value as never)));
        expect(await read(type, arrayOf(type, many as never), column)).toEqual(wanted);
      }),
    );
  });

  it('hashes in base64url, and times in ISO 8601', async () => {
    const hash = Buffer.from('a hash').toString('base64url');
    expect(await read('bytea', arrayOf('bytea', [hash, null]))).toEqual([Buffer.from('a hash'), null]);
    const at = new Date('2026-11-23T01:02:03.004Z');
    expect(await read('timestamptz', arrayOf('timestamptz', [at.toISOString()]))).toEqual([at]);
  });
});

it('refuses what the type does not have', () => {
  const refused: [ColumnType, unknown][] = [
    ['uuid', '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c1'],
    ['uuid', '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c111'],
    ['uuid', '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6cé1'],
    ['int', 2 ** 31],
    ['int', 0.5],
    ['smallint', 2 ** 15],
    ['bigint', 2n ** 63n],
    ['date', 'today'],
    ['timestamptz', new Date(Number.NaN)],
    ['timestamptz', 'now'],
  ];
  for (const [type, value] of refused) expect(() => arrayOf(type, [value as never]), String(value)).toThrow(RangeError);
});
