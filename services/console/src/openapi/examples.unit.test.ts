import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../routes/index.ts';
import { replyExamples, requestExamples } from './examples.ts';

const named = new Map(routes.map((route) => [route.name, route]));

/** Replies are strict here, so that an example cannot have a field that no answer has. */
const misfits = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

describe('the examples of the OpenAPI document', () => {
  it('has one for each body, and no others', () => {
    const withBody = routes.filter(({ body }) => body).map(({ name }) => name);
    expect(Object.keys(requestExamples).sort()).toEqual(withBody.sort());
  });

  it.each(Object.entries(requestExamples))('the body of %s is accepted', (name, body) => {
    expect(misfits(named.get(name)!.body, body)).toEqual([]);
  });

  it.each(Object.entries(replyExamples))('the reply of %s is what the route answers', (name, reply) => {
    const schema = named.get(name)!.reply as z.ZodObject;
    expect(misfits(z.strictObject(schema.shape), reply)).toEqual([]);
  });
});
