// How the bus within one process reads a message. Its sender is code of ours, which TypeScript has checked: a running
// product takes the message as it is. Tests check it, and compare both.
import assert from 'node:assert/strict';
import { isComplete } from '@landfall/contracts';
import type { z } from 'zod';
import { InvalidInput, parsed } from './invalid-input.ts';
import { hasPart, ownCopy } from './own-copy.ts';

/** Returns the data of a message, or InvalidInput. `id` is the one that the sender gave. */
export type Read = (input: object, id?: string) => object | InvalidInput;

type Fields = Record<string, unknown>;

/** Types of zod whose output differs from a valid input. */
const CHANGING = new Set(['default', 'prefault', 'catch', 'transform', 'lazy']);

/**
 * Takes the fields of the schema, with their defaults. Checks and copies nothing else. A schema that changes a part of a
 * field is checked as in {@link checking}, unless senders give that part complete.
 */
export function taking(name: string, schema: z.ZodObject): Read {
  const fields = Object.entries(schema.shape as Record<string, z.core.$ZodType>).map(([field, type]) => {
    const def = type._zod.def as z.core.$ZodDefaultDef;
    return def.type === 'default' ? { field, def, type: def.innerType } : { field, def: undefined, type };
  });
  if (fields.some(({ type }) => hasPart(type, changes, isComplete))) return checking(name, schema);
  return (input) => {
    const data: Fields = {};
    for (const { field, def } of fields) {
      const given = (input as Fields)[field];
      if (given !== undefined) data[field] = given;
      else if (def !== undefined) data[field] = def.defaultValue;
    }
    return data;
  };
}

const changes = ({ type, checks = [] }: { type: string; checks?: readonly z.core.$ZodCheck[] }) =>
  CHANGING.has(type) || checks.some((check) => check._zod.def.check === 'overwrite');

/** Checks the message, and copies it. */
export function checking(name: string, schema: z.ZodObject): Read {
  const own = ownCopy(schema);
  return (input, id) => {
    const data = parsed(name, schema, input, id);
    if (!(data instanceof InvalidInput)) own(data);
    return data;
  };
}

/** Checks the message, and throws if {@link taking} would read it otherwise. The data cannot be changed. */
export function comparing(name: string, schema: z.ZodObject): Read {
  const [check, take] = [checking(name, schema), taking(name, schema)];
  return (input, id) => {
    const data = check(input, id);
    if (data instanceof InvalidInput) return data;
    assert.deepEqual(asJson(take(input)), asJson(data), `${name}: a running product would read another message`);
    return frozen(data);
  };
}

const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
