import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase } from '../analytics.testing.ts';
import { plain, texts } from './array-text.ts';

let own: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  own = await emptyDatabase();
});
afterAll(() => own.drop());

const read = async (type: string, array: string) =>
  (await own.database.rows<{ v: unknown }>(`select v from unnest($1::${type}[]) v`, [array])).map(({ v }) => v);

it('PostgreSQL reads the texts that were written', async () => {
  // PostgreSQL has no text with a zero character.
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
  const special = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', 'a,b', ' ', '\\"', "'", '\n');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, special, fc.constant(null))), async (values) => {
      expect(await read('text', texts(values))).toEqual(values);
    }),
  );
});

it('PostgreSQL reads plain values that were written', async () => {
  const id = '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11';
  expect(await read('uuid', plain([id, null]))).toEqual([id, null]);
  expect(await read('int', plain([1, -2, null]))).toEqual([1, -2, null]);
  expect(await read('boolean', plain([true, false, null]))).toEqual([true, false, null]);
  const time = new Date('2026-11-23T01:02:03.004Z');
  expect(await read('timestamptz', plain([time.toISOString(), null]))).toEqual([time, null]);
});
