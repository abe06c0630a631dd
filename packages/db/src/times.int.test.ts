import fc from 'fast-check';
import { expect, it } from 'vitest';
import { suiteDatabase } from './fixture.testing.ts';

const made = suiteDatabase(2);

it('come back as they went, alone and in arrays', async () => {
  const time = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(time), { minLength: 1 }), time, async (many, one) => {
      const rows = await made.database.rows<{ at: Date | null; one: Date }>(
        'select at, $2::timestamptz as one from unnest($1::timestamptz[]) with ordinality as t(at, n) order by n',
        [many, one],
      );
      expect(rows).toEqual(many.map((at) => ({ at, one })));
    }),
  );
});

it('are read in any zone of the session, before Christ and at the end of time', async () => {
  await made.database.transaction(async (tx) => {
    await tx.rows(`set local timezone = 'Asia/Kathmandu'`);
    const [row] = await tx.rows<Record<string, unknown>>(
      `select '2026-11-21T12:00:00.5Z'::timestamptz as near, '0044-03-15T12:00:00Z BC'::timestamptz as far, 'infinity'::timestamptz as never`,
    );
    expect(row).toMatchObject({ near: new Date('2026-11-21T12:00:00.500Z'), never: Number.POSITIVE_INFINITY });
    expect((row!.far as Date).getUTCFullYear()).toBe(-43);
  });
});
