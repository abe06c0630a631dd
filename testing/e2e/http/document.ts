// Reads the OpenAPI document as a client does: its operations, and whether the document allows an answer.
import type { Received, System } from '@landfall/testkit';
import { expect } from 'vitest';
import { expectErrorForm } from '../calls.ts';
import { type Json, type Misfit, misfitIn } from './json-schema.ts';

export interface Operation {
  method: string;
  /** The path, with parameters in braces. */
  path: string;
  id: string;
  definition: Json;
  /** Whether the operation redirects the browser. Such an answer has no body. */
  redirects: boolean;
  /** The statuses that the document allows for the operation. */
  statuses: number[];
  /** Throws unless the answer has a documented status and fits its schema. */
  check(answer: Received): void;
  /** Returns whether the document accepts the body. */
  takes(body: unknown): boolean;
}

export async function readDocument(system: System): Promise<{ document: Json; operations: Operation[] }> {
  const { json: document } = await system.send({ path: '/openapi.json' });
  const misfit = misfitIn(document);
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, definition]) => toOperation(misfit, path, method, definition)),
  );
  return { document, operations };
}

const schemaOf = (body: Json): Json => body.content['application/json'].schema;

function toOperation(misfit: Misfit, path: string, method: string, definition: Json): Operation {
  return {
    method: method.toUpperCase(),
    path,
    id: definition.operationId,
    definition,
    redirects: '302' in definition.responses,
    statuses: Object.keys(definition.responses).map(Number),
    check(answer) {
      const response = definition.responses[answer.status];
      expect(response, `${method} ${path} answered ${answer.status} ${answer.text}`).toBeDefined();
      for (const name of Object.keys(response.headers ?? {}))
        expect(answer.headers[name.toLowerCase()], `${path} ${name}`).toBeDefined();
      if (!response.content) return expect(answer.text).toBe('');
      const types = Object.keys(response.content).map((type) => `${type}; charset=utf-8`);
      expect(types).toContain(answer.headers['content-type']);
      // A file is plain text with any content, so it has no schema to check.
      if (!('application/json' in response.content)) return;
      expect(misfit(schemaOf(response), answer.json), answer.text).toBeUndefined();
      if (answer.status !== 200) expectErrorForm(answer);
    },
    takes: (body) => misfit(schemaOf(definition.requestBody), body) === undefined,
  };
}
