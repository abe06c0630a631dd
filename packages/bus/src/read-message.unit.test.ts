import { orNull } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { comparing, taking } from './read-message.ts';

const schema = z.object({ name: z.string(), by: orNull(z.string()), tags: z.array(z.string()).default([]) });

test('a running product takes the fields of a message with their defaults, and checks nothing', () => {
  const take = taking('Test', schema);
  const tags = ['a'];
  expect(take({ name: 'x', tags, more: 1 })).toEqual({ name: 'x', by: null, tags });
  expect(take({ name: 1 })).toEqual({ name: 1, by: null, tags: [] });
  expect((take({ name: 'x', tags }) as { tags: unknown }).tags).toBe(tags);
});

test.each([
  ['a default inside', z.object({ of: z.object({ by: orNull(z.string()) }) }), { of: {} }, { of: { by: null } }],
  ['a transformation', z.object({ text: z.string().trim() }), { text: ' a ' }, { text: 'a' }],
  ['a transformation inside', z.object({ l: z.array(z.string().transform(Number)) }), { l: ['1'] }, { l: [1] }],
])('a schema with %s is checked', (_, changing, given, read) => {
  expect(taking('Test', changing)(given)).toEqual(read);
});

test('a test sees a message that a running product would read otherwise', () => {
  const compare = comparing('Test', z.object({ of: z.object({ a: z.string() }) }));
  expect(compare({ of: { a: 'x' } })).toEqual({ of: { a: 'x' } });
  expect(() => compare({ of: { a: 'x', b: 'of no contract' } })).toThrow('Test: a running product would read');
});

test('a test sees a handler that changes its message', () => {
  const { of } = comparing('Test', z.object({ of: z.object({ a: z.string() }) }))({ of: { a: 'x' } }) as {
    of: { a: string };
  };
  expect(() => {
    of.a = 'y';
  }).toThrow(TypeError);
});
