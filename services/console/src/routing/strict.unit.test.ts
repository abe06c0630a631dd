import { invalid, strict, unknownField } from '@landfall/http';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../routes/index.ts';
import { isManage } from './route.ts';

const faultsOf = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value);
  return parsed.success ? null : invalid(parsed.error).details;
};

it('refuses unknown fields at any depth, and names the nearest known field', () => {
  const inner = z.object({ channelId: z.string().optional() });
  const schema = strict(
    z
      .object({
        scheduleAt: z.string().optional(),
        android: inner.nullable().default(null).describe('Of Android.'),
        lists: z.array(inner).optional(),
        byLanguage: z.record(z.string(), inner).optional(),
        either: z.union([z.string(), inner]).optional(),
        loose: z.looseObject({ a: z.string() }).optional(),
      })
      .refine((body) => body.scheduleAt !== 'never', { error: 'is never' }),
  );
  const misspelt = { chanelId: 'x' };
  const message = 'is unknown: did you mean channelId?';
  expect(faultsOf(schema, { android: misspelt })).toEqual([{ path: 'android.chanelId', message }]);
  expect(faultsOf(schema, { lists: [{}, misspelt] })).toEqual([{ path: 'lists.1.chanelId', message }]);
  expect(faultsOf(schema, { byLanguage: { de: misspelt } })).toEqual([{ path: 'byLanguage.de.chanelId', message }]);
  expect(faultsOf(schema, { either: misspelt })).not.toBeNull();
  expect(faultsOf(schema, { scheduledAt: 'x' })).toEqual([
    { path: 'scheduledAt', message: 'is unknown: did you mean scheduleAt?' },
  ]);
  expect(faultsOf(schema, { loose: { a: 'x', b: 1 }, either: 'x', android: null })).toBeNull();
  expect(faultsOf(schema, { scheduleAt: 'never' })).toEqual([{ path: 'body', message: 'is never' }]);
  expect(z.toJSONSchema(schema, { unrepresentable: 'any' })).toMatchObject({
    properties: { android: { description: 'Of Android.' } },
  });
});

it('reports a misspelt field first, also when the right one is missing', () => {
  expect(invalid(strict(z.object({ title: z.string() })).safeParse({ titel: 'x' }).error!)).toMatchObject({
    message: 'titel is unknown: did you mean title?',
    details: [{ path: 'titel' }, { path: 'title' }],
  });
});

it('lists the known fields when no name is similar', () => {
  const known = ['scheduleAt', 'dryRun', 'id'];
  expect(unknownField('dryrun', known)).toBe('is unknown: did you mean dryRun?');
  expect(unknownField('schedule_at', known)).toBe('is unknown: did you mean scheduleAt?');
  for (const name of ['audience', '', '__', 'x'.repeat(100_000), 'constructor'])
    expect(unknownField(name, known)).toBe('is unknown: the known fields are scheduleAt, dryRun, id');
  expect(unknownField('x', [])).toBe('is unknown: no fields are accepted here');
});

/** Returns every object in a JSON Schema that lists its fields. */
function* objectsIn(schema: unknown, place: string): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema && 'type' in schema) yield [place, schema as Record<string, unknown>];
  for (const [key, child] of Object.entries(schema)) yield* objectsIn(child, `${place}/${key}`);
}

it('holds for every object in every body of the management API', () => {
  const manage = routes.filter((route) => isManage(route)).filter(({ body }) => body);
  expect(manage.length).toBeGreaterThan(20);
  for (const { name, body } of manage) {
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
    // Google decides the fields of its file.
    for (const [place, object] of objectsIn(schema, name))
      expect(object.additionalProperties, place).toEqual(name === 'setPushProvider' ? {} : { not: {} });
  }
});
