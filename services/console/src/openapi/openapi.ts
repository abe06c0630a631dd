// Makes the OpenAPI 3.1 document from the route values that also serve the requests.

import type { Auth } from '@landfall/gateway';
import { type ErrorCode, errorTable, type Named } from '@landfall/http';
import { z } from 'zod';
import { notFound } from '../access/authorise.ts';
import { needsList, sayNeeds } from '../access/needs.ts';
import type { RouteGroup } from '../routes/index.ts';
import { isManage, type ManageRoute, type Route } from '../routing/route.ts';
import { components } from './components.ts';
import { replyExamples, requestExamples } from './examples.ts';

type Json = Record<string, unknown>;

export function openapi(groups: readonly RouteGroup[], publicUrl: string, cookieName: string): Json {
  const paths: Record<string, Json> = {};
  for (const { tag, routes } of groups)
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(tag, route) };
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Landfall', version: '0.1.0', description },
    servers: [{ url: publicUrl }],
    tags: groups.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: { Error: errorSchema, ...componentSchemas() },
      securitySchemes: securitySchemes(cookieName),
    },
  };
}

const description = [
  'Deep links that survive the install. Taps go to the host of each app, not to this API.',
  'Apps and backends use an SDK key. People use a session and programs use a token. Sign-in, and every change with a session, needs the header `x-landfall: 1`. If you may not see something, the answer is 404, as if it did not exist.',
  'A body must not contain, at any depth and also in ignored fields: a string or key with NUL or half a surrogate pair, the key `__proto__`, or a number that JavaScript would change. Send large numbers as strings.',
].join('\n\n');

const securitySchemes = (cookieName: string): Json => ({
  sdkKey: { type: 'apiKey', in: 'header', name: 'x-service-sdk-key', description: sdkKeyDescription },
  sdkKeyBearer: { type: 'http', scheme: 'bearer', bearerFormat: 'ol_[0-9a-f]{32}', description: sdkKeyDescription },
  session: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'The session of a person.' },
  share: { type: 'apiKey', in: 'header', name: 'authorization', description: shareDescription },
  token: { type: 'http', scheme: 'bearer', bearerFormat: 'lf_[0-9a-f]{32}', description: tokenDescription },
});

const sdkKeyDescription =
  "An app's SDK key: `ol_` and 32 hexadecimal digits. It belongs to one app and is `mobile` or `server`. A route that accepts one kind answers the other with 401.";

const tokenDescription =
  'A personal access token or an owner token: `lf_` and 32 hexadecimal digits. A personal token acts in one team, with the role of its person. With the scope `read` it is at most a viewer. It cannot manage people, tokens or sessions. An owner token can do everything except the actions of a person. Tokens do not need `x-landfall`.';

const shareDescription =
  'The secret of a share, as `Share lfs_` and 32 hexadecimal digits. If the share has a password, a space and the pass that `unlockShare` gives follow. It opens nothing but the view of this share.';

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'The error, as a sentence.' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    details: {
      type: 'array',
      description: 'The invalid fields.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function operation(tag: string, route: Named<Route>): Json {
  const parameters = [
    ...fields(route.params, 'path'),
    ...fields(route.query, 'query'),
    ...sameSiteHeader(route),
    ...Object.entries(route.headers ?? {}).map(([name, { description, pattern }]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string', pattern },
    })),
  ];
  return {
    operationId: route.name,
    tags: [tag],
    summary: route.summary,
    ...describe(route),
    security: security(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemaOf(route.body, 'input'), example: requestExamples[route.name] },
        },
      },
    }),
    responses: responses(route),
  };
}

/** Returns the header that `assertSameSite` checks. */
function sameSiteHeader(route: Route): Json[] {
  if (!isManage(route) || route.method === 'GET') return [];
  const needs = needsList(route.needs);
  if (needs.includes('operator') || needs.includes('guest')) return [];
  return [
    {
      name: 'x-landfall',
      in: 'header',
      required: needs.includes('anyone') || needs.includes('person'),
      description: 'Required without a token. Other sites cannot make a browser send it.',
      schema: { const: '1' },
    },
  ];
}

function describe(route: Route): Json {
  if (isManage(route)) return { description: sayNeeds(route.needs) };
  return route.spec ? { description: `Section ${route.spec} of the interface specification.` } : {};
}

function security(route: Route): Json[] {
  if (isManage(route)) {
    const needs = needsList(route.needs);
    if (needs.includes('anyone')) return [];
    if (needs.includes('guest')) return [{ share: [] }];
    if (needs.includes('operator')) return [{ token: [] }];
    return needs.includes('person') ? [{ session: [] }] : [{ session: [] }, { token: [] }];
  }
  if (route.auth === 'none') return [];
  const key = [{ sdkKey: [] }, { sdkKeyBearer: [] }];
  return route.auth === 'optional-key' ? [{}, ...key] : key;
}

function codesOf(route: Route): ErrorCode[] {
  return [
    ...(route.body || route.query || route.params ? (['INVALID_REQUEST'] as const) : []),
    ...(route.body ? (['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isManage(route) ? codesOfNeeds(route) : codesOfAuth(route.auth)),
    ...route.errors,
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'FAILED',
    'BUSY',
    'NO_ANSWER',
  ];
}

function codesOfAuth(auth: Auth): ErrorCode[] {
  if (auth === 'none' || auth === 'optional-key') return [];
  // The second code is for an archived app.
  const all = ['UNAUTHORIZED', 'APP_NOT_FOUND'] as const;
  return auth === 'any-key' ? [...all] : [...all, auth === 'key' ? 'MOBILE_KEY_NEEDED' : 'SERVER_KEY_NEEDED'];
}

function codesOfNeeds({ needs, method }: ManageRoute): ErrorCode[] {
  const list = needsList(needs);
  // Its own errors name all.
  if (list.includes('guest')) return [];
  return [
    ...(list.includes('anyone') ? [] : (['NOT_SIGNED_IN'] as const)),
    ...(method === 'GET' ? [] : (['CROSS_SITE'] as const)),
    ...(list.every((need) => need === 'anyone' || need === 'signed-in') ? [] : (['FORBIDDEN'] as const)),
    ...list.flatMap((need) => (typeof need === 'object' ? [notFound[need.of], 'SECOND_FACTOR_NEEDED' as const] : [])),
  ];
}

function responses(route: Named<Route>): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codesOf(route))) {
    const [status] = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    ...success(route),
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\``).join(', '),
          ...(codes.every((code) => SAYS_WHEN.has(code)) && { headers: retryAfter }),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
    ),
    // The server of Node refuses such a request before it knows the route.
    431: {
      description: 'The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  };
}

/** Codes whose answers have Retry-After. */
const SAYS_WHEN: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'SIGN_IN_BUSY',
  'TOO_MANY_QUESTIONS',
  'SIGN_IN_DELAYED',
  'BUSY',
  'NO_ANSWER',
  'CATCHING_UP',
  'DNS_SILENT',
]);
const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before you repeat the request.',
    schema: { type: 'integer', minimum: 0 },
  },
};

function success(route: Named<Route>): Json {
  if (isManage(route) && route.redirects) {
    const Location = { description: 'The URL to go to.', schema: { type: 'string', format: 'uri' } };
    return { 302: { description: 'Go on.', headers: { ...limitHeaders, Location } } };
  }
  return { 200: { description: 'Success.', headers: limitHeaders, content: content(route) } };
}

function content(route: Named<Route>): Json {
  if (isManage(route) && route.downloads)
    return Object.fromEntries(route.downloads.map((type) => [type, { schema: { type: 'string' } }]));
  const reply = schemaOf(route.reply, 'output') as { properties?: Json; required?: string[] };
  const success = {
    ...reply,
    properties: { success: { const: true }, ...reply.properties },
    required: ['success', ...(reply.required ?? [])],
  };
  const example = replyExamples[route.name];
  return { 'application/json': { schema: success, ...(example && { example: { success: true, ...example } }) } };
}

const limitHeaders = Object.fromEntries(
  [
    ['RateLimit-Limit', 'Requests allowed per minute and address, or per server key.'],
    ['RateLimit-Remaining', 'Requests left in this window.'],
    ['RateLimit-Reset', 'Seconds until the window ends.'],
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

const componentSchemas = (): Json =>
  Object.fromEntries([...components].map(([schema, name]) => [name, schemaOf(schema as z.ZodType, 'output')]));

/** Returns zod's own JSON Schema. Metadata adds what zod cannot express. A reply refers to the components in it. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, path, jsonSchema: { additionalProperties: others }, jsonSchema }) => {
      const component = path.length > 0 && io === 'output' && components.get(zodSchema);
      if (component) {
        for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
        jsonSchema.$ref = `#/components/schemas/${component}`;
        return;
      }
      // An object of a strict body (see strict.ts) gets the usual form.
      if (typeof others === 'object' && others.not) jsonSchema.additionalProperties = false;
    },
  });
  return json;
}
