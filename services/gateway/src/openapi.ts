// The OpenAPI 3.1 document, made of the same route values that serve the requests.
import { z } from 'zod';
import { type ErrorCode, statusOf } from './errors.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const VERSION = '0.1.0';

/** @param url the API's public address */
export function openapi(routes: readonly Route[], url: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Landfall',
      version: VERSION,
      description: 'Deep links that survive the install. Taps go to the host of each app, not to this API.',
    },
    servers: [{ url }],
    tags: [
      { name: 'links', description: 'Create and resolve links.' },
      { name: 'deferred deep linking', description: 'Get a destination back after the install.' },
      { name: 'manage', description: 'Apps, keys, plans and links, for the holder of the owner token.' },
    ],
    paths,
    components: { schemas: { Error: errorSchema }, securitySchemes },
  };
}

const securitySchemes: Json = {
  sdkKey: { type: 'apiKey', in: 'header', name: 'x-service-sdk-key', description: "An app's SDK key, `ol_…`." },
  sdkKeyBearer: { type: 'http', scheme: 'bearer', description: "An app's SDK key, `ol_…`." },
  ownerToken: { type: 'http', scheme: 'bearer', description: 'The owner token, `lf_…`.' },
};

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What is wrong, as a sentence.' },
    code: { type: 'string', enum: Object.keys(statusOf) },
    details: {
      type: 'array',
      description: 'The fields that are wrong.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function operation(route: Route): Json {
  const parameters = [
    ...fields(route.params, 'path'),
    ...fields(route.query, 'query'),
    ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    })),
  ];
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.spec && { description: `Section ${route.spec} of the interface specification.` }),
    security: security(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
    }),
    responses: responses(route),
  };
}

function security(route: Route): Json[] {
  if (route.auth === 'none') return [];
  if (route.auth === 'owner') return [{ ownerToken: [] }];
  const key = [{ sdkKey: [] }, { sdkKeyBearer: [] }];
  return route.auth === 'optional-key' ? [{}, ...key] : key;
}

/** Rate limits and faults are possible everywhere; the rest follows from what the route takes. */
function codesOf(route: Route): ErrorCode[] {
  return [
    ...(route.body || route.query || route.params ? (['INVALID_REQUEST'] as const) : []),
    ...(route.body ? (['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.auth === 'key' || route.auth === 'owner' ? (['UNAUTHORIZED'] as const) : []),
    ...route.errors,
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'FAILED',
    'BUSY',
    'NO_ANSWER',
  ];
}

function responses(route: Route): Json {
  const reply = schemaOf(route.reply, 'output') as { properties?: Json; required?: string[] };
  const success = {
    ...reply,
    properties: { success: { const: true }, ...reply.properties },
    required: ['success', ...(reply.required ?? [])],
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) {
    const status = statusOf[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    200: { description: 'Success.', headers: limitHeaders, content: { 'application/json': { schema: success } } },
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\``).join(', '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
    ),
  };
}

const limitHeaders = Object.fromEntries(
  [
    ['RateLimit-Limit', 'Requests a minute and address.'],
    ['RateLimit-Remaining', 'What is left of them.'],
    ['RateLimit-Reset', 'Seconds until they are counted anew.'],
  ].map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);

function fields(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(field.description ? { description: field.description } : {}),
    schema: field,
  }));
}

/** zod's own JSON Schema; what zod cannot express has it as metadata. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return json;
}
