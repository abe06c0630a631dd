// Tests of every message. Each message has a unique name, contains only JSON, and belongs to one service. The examples of
// an event stay valid for ever, because topics hold records of old versions. A request travels for seconds, so it has one
// example, which changes with it.
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppSettingsChange, events, json, metadata, requests } from './index.ts';

const messages = [...requests, ...events];
const folder = (path: string) => new URL(path, import.meta.url);

describe('definitions', () => {
  test('have unique names', () => {
    const names = messages.map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  test('a service owns its topics', async () => {
    const owners = new Map<string, Set<string>>();
    const found: unknown[] = [];
    const files = readdirSync(folder('.'), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)index\.ts$/.test(name))) {
      const module: Record<string, unknown> = await import(folder(file).href);
      for (const definition of Object.values(module)) {
        if (typeof definition !== 'object' || definition === null || !('topic' in definition)) continue;
        found.push(definition);
        const topic = definition.topic as string;
        owners.set(topic, (owners.get(topic) ?? new Set()).add(/^[a-z]+/.exec(file)![0]));
      }
    }
    for (const [topic, files] of owners) expect([topic, [...files]]).toEqual([topic, [expect.any(String)]]);
    for (const { kind, topic } of requests) {
      const [owner] = owners.get(topic)!;
      expect([`${owner}.queries`, `${owner}.commands`]).toContain(topic);
      expect(topic.endsWith(kind === 'query' ? '.queries' : '.commands')).toBe(true);
    }
    // The lists that the other tests use contain the messages of every module.
    expect(new Set(found)).toEqual(new Set(messages));
  });

  test('a public event has its own topic', () => {
    const topics = events.map(({ topic }) => topic);
    expect(new Set(topics).size).toBe(topics.length);
    for (const topic of topics) expect(topic).toMatch(/^[a-z]+\.[a-z]+$/);
    for (const topic of topics) expect(requests.map((request) => request.topic)).not.toContain(topic);
  });

  test.each(messages.map((message) => [message.name, message] as const))('%s has a description', (_, message) => {
    expect(message.description).toMatch(/^[A-Z][^|\n]*[.?]$/);
    if ('data' in message) expect(undescribed(message.data, message.name)).toEqual([]);
  });

  test('finds a field without a description, also deep inside', () => {
    const said = () => z.string().describe('Said.');
    const schema = z.object({
      said: said(),
      silent: z.string(),
      list: z
        .array(z.object({ said: z.string().nullable().describe('Said.'), silent: said().nullable() }))
        .describe('Said.'),
      wrapped: z.object({ silent: z.string() }).nullable().default(null).describe('Said.'),
    });
    expect(undescribed(schema, 'M')).toEqual(['M.silent', 'M.list.silent', 'M.wrapped.silent']);
  });
});

/** Returns the schema of a value that is there: without null, without a default. */
const present = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault
    ? present(schema.unwrap() as z.ZodType)
    : schema;

/** Returns the paths of the fields of a schema that have no description. */
function undescribed(whole: z.ZodType, path: string): string[] {
  const schema = present(whole);
  if (schema instanceof z.ZodArray) return undescribed(schema.element as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
    ...(field.description === undefined ? [`${path}.${name}`] : []),
    ...undescribed(field, `${path}.${name}`),
  ]);
}

/** The types of JSON. `WRAPPERS` holds the types that wrap other types. */
const SIMPLE_TYPES = ['string', 'number', 'boolean', 'null', 'enum', 'literal', 'template_literal'];
const JSON_TYPES = [...SIMPLE_TYPES, 'object', 'array', 'record', 'tuple'];
const WRAPPERS = ['nullable', 'optional', 'default', 'prefault', 'union', 'pipe', 'readonly'];

type Node = z.core.$ZodType;

/** Returns the places of a schema that are not JSON, as `path: type`. `free` allows fields with free JSON. */
function notJson(schema: Node, path: string, free: boolean): string[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string };
  if (def.type === 'custom') return free && isFreeJson(schema) ? [] : [`${path}: custom`];
  if (![...JSON_TYPES, ...WRAPPERS].includes(def.type)) return [`${path}: ${def.type}`];
  const parts = ['innerType', 'element', 'keyType', 'valueType', 'in', 'out'].map((part) => [part, def[part]]);
  const lists = ['options', 'items'].flatMap((list) => Object.entries((def[list] as Node[] | undefined) ?? {}));
  const fields = Object.entries((def.shape as Record<string, Node> | undefined) ?? {});
  return [...parts, ...lists, ...fields]
    .filter(([, part]) => part !== undefined && part !== null)
    .flatMap(([name, part]) => notJson(part as Node, `${path}.${name}`, free));
}

/**
 * The two fields `metadata` and `json` of fields.ts describe themselves as objects for OpenAPI. Other z.custom fields
 * do not.
 */
const isFreeJson = (schema: Node) => (schema as z.ZodType).meta()?.additionalProperties === true;

describe('messages are JSON', () => {
  test.each(requests.map((request) => [request.name, request] as const))('%s', (name, { input, reply, refusals }) => {
    expect(notJson(input, `${name}.input`, true)).toEqual([]);
    expect(notJson(reply, `${name}.reply`, true)).toEqual([]);
    for (const [code, facts] of Object.entries(refusals)) expect(notJson(facts as Node, code, false)).toEqual([]);
  });

  test.each(events.map((event) => [event.name, event] as const))('%s, and nothing free', (name, { data }) => {
    expect(notJson(data, name, false)).toEqual([]);
  });

  test.each([
    ['date', z.date()],
    ['any', z.any()],
    ['custom', z.custom<Buffer>((value) => Buffer.isBuffer(value))],
    ['transform', z.string().transform((value) => new Date(value))],
  ])('the check finds %s, also deep inside', (type, wrong) => {
    for (const schema of [wrong, z.array(wrong), wrong.optional(), z.record(z.string(), z.union([z.string(), wrong]))])
      expect(notJson(z.object({ deep: z.object({ schema }).nullable() }), 'M', true)).toEqual([
        expect.stringMatching(new RegExp(`^M\\.deep.*: ${type}$`)),
      ]);
  });

  test('the check knows free JSON', () => {
    const schema = z.object({ given: metadata(), made: json().optional() });
    expect(notJson(schema, 'M', true)).toEqual([]);
    expect(notJson(schema, 'M', false)).toEqual(['M.given: custom', 'M.made.innerType: custom']);
  });
});

type Fields = Record<string, unknown>;

/** The examples of an event: those of this and of earlier versions. */
interface Records {
  data: Fields[];
}
/** The example of a request. */
interface Exchange {
  input: Fields;
  reply: Fields;
  refusals: Record<string, Fields>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(folder(`../examples/${name}.json`), 'utf8'));
const recordsOf = (name: string) => (read(name) as Records).data;
const exchangeOf = (name: string) => resolved(read(name)) as Exchange;

/** Objects that the examples of several requests contain. */
const FRAGMENTS = 'fragments';
const fragments = read(FRAGMENTS) as Record<string, Fields>;

/** Replaces each `{ "$ref": "App" }` with the fragment of this name. Fields beside `$ref` replace fields of the fragment. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const fields = Object.fromEntries(Object.entries(rest).map(([name, field]) => [name, resolved(field)]));
  return $ref === undefined ? fields : { ...(resolved(fragments[$ref]) as Fields), ...fields };
}

/**
 * Checks examples of this and earlier versions. The parsed example contains the example and the defaults of later
 * fields. At least one example has all fields.
 */
function areSaid(schema: z.ZodObject, examples: Fields[]) {
  expect(examples.length).toBeGreaterThan(0);
  const parsed = examples.map((example) => schema.parse(example));
  for (const [at, example] of examples.entries()) {
    expect(parsed[at]).toMatchObject(example);
    expect(schema.parse(parsed[at])).toStrictEqual(parsed[at]);
  }
  expect(parsed.some((one, at) => isDeepStrictEqual(one, examples[at]))).toBe(true);
}

/** Checks the only example of a part of a request. It has a value for each field, so no field changes unnoticed. */
function isWhole(schema: z.ZodType, example: unknown, path: string) {
  expect(schema.parse(example)).toStrictEqual(example);
  expect(unsaid(schema, [example], path)).toEqual([]);
}

/** Returns the paths of the fields that have a value in none of the examples. Null and an empty list are no values. */
function unsaid(whole: z.ZodType, examples: unknown[], path: string): string[] {
  const values = examples.filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return [path];
  const schema = present(whole);
  if (schema instanceof z.ZodArray) return unsaid(schema.element as z.ZodType, values.flat(), path);
  if (schema instanceof z.ZodRecord)
    return unsaid(schema.valueType as z.ZodType, (values as Fields[]).flatMap(Object.values), path);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    unsaid(
      field,
      (values as Fields[]).map((value) => value[name]),
      `${path}.${name}`,
    ),
  );
}

describe('golden examples', () => {
  test('there is a file for each message, and no message was removed', () => {
    const files = readdirSync(folder('../examples')).map((file) => file.replace('.json', ''));
    expect(files.toSorted()).toEqual([...messages.map(({ name }) => name), FRAGMENTS].toSorted());
  });

  test.each(requests.map((request) => [request.name, request] as const))('%s', (name, { input, reply, refusals }) => {
    const example = exchangeOf(name);
    isWhole(input, example.input, 'input');
    isWhole(reply, example.reply, 'reply');
    expect(Object.keys(example.refusals).toSorted()).toEqual(Object.keys(refusals).toSorted());
    for (const [code, facts] of Object.entries(example.refusals)) isWhole(refusals[code] as z.ZodObject, facts, code);
  });

  test.each(events.map((event) => [event.name, event] as const))('%s', (name, { data }) => {
    const examples = recordsOf(name);
    areSaid(data, examples);
    // A later version may add fields.
    for (const example of examples) expect(data.parse({ ...example, later: 1 })).toStrictEqual(data.parse(example));
  });

  test.each(messages.map((message) => [message.name, message] as const))('%s has a key', (name, message) => {
    const inputs =
      'input' in message
        ? [message.input.parse(exchangeOf(name).input)]
        : recordsOf(name).map((record) => message.data.parse(record));
    // A create has one only when it may come twice.
    const repeatable = name === 'CreateLink' && { repeatable: true };
    for (const input of inputs) expect(message.key({ ...input, ...repeatable }, 'the-id')).toMatch(/^[^\s]+$/);
    if (repeatable) expect(message.key({ repeatable: false }, 'the-id')).toBeNull();
  });

  test('finds a field without a value, also deep inside', () => {
    const one = z.object({ said: z.string(), silent: z.string().nullable().default(null) });
    const schema = z.object({
      list: z.array(one),
      empty: z.array(one),
      map: z.record(z.string(), one),
      left: one.optional(),
    });
    const value = { said: '', silent: null };
    const example = { list: [value, { ...value, silent: 'not here' }], empty: [], map: { key: value } };
    expect(unsaid(schema, [example], 'M')).toEqual(['M.empty', 'M.map.silent', 'M.left']);
  });
});

test('a change of settings holds only the sent fields', () => {
  const change = { ios: { storeId: '1' }, matching: { windowMinutes: 0 } };
  expect(AppSettingsChange.parse(change)).toStrictEqual(change);
  expect(AppSettingsChange.parse({})).toStrictEqual({});
  expect(() => AppSettingsChange.parse({ matching: { windowMinutes: -1 } })).toThrow();
});
