// The part of the OpenAPI document that a program on a server can use. Its types are in the packed client for servers.
import type { Document } from '@landfall/api-client/generate';

interface Operation {
  operationId: string;
  security?: Record<string, unknown>[];
  responses: Record<string, { content?: Record<string, unknown> }>;
  tags?: unknown;
}

/** Operations with a key of an app that a backend calls. The others are for phones. */
const WITH_KEY = ['createLink', 'createLinks', 'getLinkBySlug'];

/** Leaves out what needs a session or a phone, and streams. The client has a class for errors, so they need no types. */
export function forServers(document: Document): Document {
  const copy = structuredClone(document) as unknown as { paths: Record<string, Record<string, Operation>> };
  for (const [path, methods] of Object.entries(copy.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { 200: success } = operation.responses;
      if (!success || !isForServers(operation)) delete methods[method];
      else operation.responses = { 200: { content: success.content ?? {} } };
    }
    if (Object.keys(methods).length === 0) delete copy.paths[path];
  }
  return copy as unknown as Document;
}

function isForServers({ operationId, security = [], responses }: Operation): boolean {
  const isStream = 'text/event-stream' in (responses[200]?.content ?? {});
  return !isStream && (WITH_KEY.includes(operationId) || security.some((one) => 'token' in one));
}
