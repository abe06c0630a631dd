// biome-ignore-all lint/suspicious/noExplicitAny: JSON of any shape, and parameters of any keyword
// JSON Schema 2020-12 as far as the OpenAPI document uses it. A keyword that is not known here is an error, so that
// nothing goes unchecked.
import { isDeepStrictEqual } from 'node:util';

export type Json = Record<string, any>;

/** Returns the fault of the value, with its place; undefined when it fits. */
export type Misfit = (schema: Json | boolean, value: unknown, place?: string) => string | undefined;

/** @param document what `$ref` refers to */
export function misfitIn(document: Json): Misfit {
  const misfit: Misfit = (schema, value, place = 'it') => {
    if (typeof schema === 'boolean') return schema ? undefined : `${place} must not be there`;
    for (const [keyword, parameter] of Object.entries(schema)) {
      if (annotations.has(keyword)) continue;
      if (keyword === '$ref') return misfit(follow(document, parameter), value, place);
      const check = checks[keyword];
      if (!check) throw new Error(`the keyword ${keyword} is not checked here`);
      const wrong = check({ parameter, value, schema, place, misfit });
      if (wrong) return wrong;
    }
    return undefined;
  };
  return misfit;
}

/** Returns the target of a reference within the document. */
export function follow(document: Json, reference: string): Json {
  const target = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((at, part) => at?.[part], document);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return target;
}

/** `format` is one: zod gives a pattern with it. */
const annotations = new Set(['title', 'description', 'default', 'examples', 'format']);

type Check = (at: {
  parameter: any;
  value: unknown;
  schema: Json;
  place: string;
  misfit: Misfit;
}) => string | undefined;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const characters = (value: string): number => [...value].length;

const types: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const text =
  (holds: (value: string, parameter: never) => boolean, words: string): Check =>
  ({ parameter, value, place }) =>
    typeof value !== 'string' || holds(value, parameter as never) ? undefined : `${place} ${words} ${parameter}`;
const number =
  (holds: (value: number, parameter: number) => boolean, words: string): Check =>
  ({ parameter, value, place }) =>
    typeof value !== 'number' || holds(value, parameter) ? undefined : `${place} ${words} ${parameter}`;
const list =
  (holds: (length: number, parameter: number) => boolean, words: string): Check =>
  ({ parameter, value, place }) =>
    !Array.isArray(value) || holds(value.length, parameter) ? undefined : `${place} ${words} ${parameter}`;

const checks: Record<string, Check> = {
  type: ({ parameter, value, place }) =>
    [parameter].flat().some((name) => types[name]!(value)) ? undefined : `${place} is not ${parameter}`,
  const: ({ parameter, value, place }) =>
    isDeepStrictEqual(parameter, value) ? undefined : `${place} is not ${parameter}`,
  enum: ({ parameter, value, place }) => (parameter.includes(value) ? undefined : `${place} is none of ${parameter}`),
  minLength: text((value, min: number) => characters(value) >= min, 'is shorter than'),
  maxLength: text((value, max: number) => characters(value) <= max, 'is longer than'),
  pattern: text((value, pattern: string) => new RegExp(pattern, 'u').test(value), 'does not match'),
  minimum: number((value, min) => value >= min, 'is less than'),
  maximum: number((value, max) => value <= max, 'is more than'),
  minItems: list((length, min) => length >= min, 'has fewer than'),
  maxItems: list((length, max) => length <= max, 'has more than'),
  items: ({ parameter, value, place, misfit }) =>
    Array.isArray(value) ? first(value, (item, i) => misfit(parameter, item, `${place}[${i}]`)) : undefined,
  maxProperties: ({ parameter, value, place }) =>
    isObject(value) && Object.keys(value).length > parameter ? `${place} has more than ${parameter}` : undefined,
  required: ({ parameter, value, place }) =>
    isObject(value)
      ? first(parameter, (name: string) => (name in value ? undefined : `${place} has no ${name}`))
      : undefined,
  properties: ({ parameter, value, place, misfit }) =>
    isObject(value)
      ? first(Object.keys(parameter), (name) =>
          Object.hasOwn(value, name) ? misfit(parameter[name], value[name], `${place}.${name}`) : undefined,
        )
      : undefined,
  additionalProperties: ({ parameter, value, schema, place, misfit }) =>
    isObject(value)
      ? first(
          Object.keys(value).filter((name) => !Object.hasOwn(schema.properties ?? {}, name)),
          (name) => {
            if (typeof parameter !== 'boolean') return misfit(parameter, value[name], `${place}.${name}`);
            return parameter ? undefined : `${place} must have no ${name}`;
          },
        )
      : undefined,
  propertyNames: ({ parameter, value, place, misfit }) =>
    isObject(value) ? first(Object.keys(value), (name) => misfit(parameter, name, `a name in ${place}`)) : undefined,
  allOf: ({ parameter, value, place, misfit }) => first(parameter, (one: Json) => misfit(one, value, place)),
  anyOf: ({ parameter, value, place, misfit }) =>
    parameter.some((one: Json) => misfit(one, value, place) === undefined)
      ? undefined
      : `${place} is none of its kinds`,
};

/** The first thing that is wrong among many. */
function first<T>(items: readonly T[], wrongWith: (item: T, i: number) => string | undefined): string | undefined {
  for (const [i, item] of items.entries()) {
    const wrong = wrongWith(item, i);
    if (wrong) return wrong;
  }
  return undefined;
}
