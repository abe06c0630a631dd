import { json, metadata } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownCopy } from './own-copy.ts';

const free = { a: [{ b: 1 }] };

test.each([
  ['json', json()],
  ['metadata', metadata()],
  ['optional', json().optional()],
  ['in an array', z.array(json())],
  ['in an object', z.object({ deep: z.object({ er: json().nullable() }) })],
  ['in a record', z.record(z.string(), json())],
  ['in a union', z.union([z.string(), json()])],
  ['in a tuple', z.tuple([json()])],
  ['unknown', z.unknown()],
  ['z.json', z.json()],
])('copies free JSON: %s', (_, schema) => {
  const [data] = [free, [free], { deep: { er: free } }, { x: free }]
    .map((value) => z.object({ field: schema }).safeParse({ field: value }))
    .flatMap((result) => (result.success ? [result.data] : []));
  const field = data!.field;
  ownCopy(z.object({ field: schema }))(data!);
  expect(data!.field).toEqual(field);
  expect(data!.field).not.toBe(field);
});

test('leaves alone what zod copies, and what is not there', () => {
  const schema = z.object({ fixed: z.object({ a: z.array(z.string()) }), free: json().optional() });
  const data: z.output<typeof schema> = { fixed: { a: ['x'] } };
  const { fixed } = data;
  ownCopy(schema)(data);
  expect(data.fixed).toBe(fixed);
  expect(Object.keys(data)).toEqual(['fixed']);
});
