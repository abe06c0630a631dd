// The OpenAPI document as a client reads it: its operations, and whether an answer is one that it allows.
import type { Received, System } from '@landfall/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { expectErrorForm } from './calls.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
export type Json = Record<string, any>;

export interface Operation {
  method: string;
  /** With its parameters in braces. */
  path: string;
  id: string;
  definition: Json;
  /** The statuses that it may have. */
  statuses: number[];
  /** Throws unless the answer has a documented status and fits its schema. */
  check(answer: Received): void;
  /** Whether the document takes this for a right body. */
  takes(body: unknown): boolean;
}

export async function readDocument(system: System): Promise<{ document: Json; operations: Operation[] }> {
  const { json: document } = await system.send({ path: '/openapi.json' });
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, definition]) => toOperation(document, path, method, definition)),
  );
  return { document, operations };
}

function toOperation(document: Json, path: string, method: string, definition: Json): Operation {
  const compiled = (content: Json | undefined) => compile(document, content?.['application/json'].schema);
  const schemas = new Map(
    Object.entries<Json>(definition.responses).map(([status, { content }]) => [Number(status), compiled(content)]),
  );
  const body = definition.requestBody && compiled(definition.requestBody.content);
  return {
    method: method.toUpperCase(),
    path,
    id: definition.operationId,
    definition,
    statuses: [...schemas.keys()],
    check(answer) {
      const schema = schemas.get(answer.status);
      expect(schema, `${method} ${path} answered ${answer.status} ${answer.text}`).toBeDefined();
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(schema!.safeParse(answer.json).error, answer.text).toBeUndefined();
      if (answer.status !== 200) expectErrorForm(answer);
    },
    takes: (value) => body?.safeParse(value).success ?? value === undefined,
  };
}

export const compile = (document: Json, schema: Json): z.ZodType =>
  z.fromJSONSchema(resolved(document, schema) as never);

/** The schema with what it refers to in its place. */
function resolved(document: Json, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => resolved(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return resolved(document, follow(document, String(schema.$ref)));
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(document, value)]));
}

export function follow(document: Json, reference: string): Json {
  const target = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((at, part) => at?.[part], document);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return target;
}
