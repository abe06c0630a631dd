// The OpenAPI document of this Landfall, as the pages of the reference read it.
import { queryOptions } from '@tanstack/react-query';
// Not by way of the client, which needs a browser: the tests of this file have none.
import { failureOf, noAnswer } from '../../api/failure.ts';
import { titleOf } from './title.ts';

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security: Record<string, []>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Operation extends OperationObject {
  method: string;
  path: string;
  /** The first part of the summary. */
  title: string;
  /** The rest of the summary. */
  more: string;
}

export interface Reference {
  version: string;
  description: string;
  /** The origin of the API. */
  url: string;
  groups: { tag: string; description: string; operations: Operation[] }[];
  schemas: Record<string, Schema>;
  /** The whole document, to which references lead. */
  document: object;
}

interface OpenApiDocument {
  info: { version: string; description: string };
  servers: [{ url: string }];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

export type Access = 'key' | 'token' | 'session' | 'none';

export const referenceQuery = () =>
  queryOptions({ queryKey: ['reference'], queryFn: ({ signal }) => load(signal), staleTime: Number.POSITIVE_INFINITY });

async function load(signal: AbortSignal): Promise<Reference> {
  const response = await fetch('/openapi.json', { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : noAnswer();
  });
  if (!response.ok) throw await failureOf(response);
  return readDocument(
    await response.json().catch(() => {
      throw noAnswer();
    }),
  );
}

export function readDocument(document: OpenApiDocument): Reference {
  const { info, servers, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      ...titleOf(operation.summary),
      path,
      method: method.toUpperCase(),
    })),
  );
  const groups = tags.map(({ name: tag, description }) => ({
    tag,
    description,
    operations: operations.filter(({ tags }) => tags[0] === tag),
  }));
  return { ...info, url: servers[0].url, groups, schemas: components.schemas, document };
}

export const operationOf = ({ groups }: Reference, id: string): Operation | undefined =>
  groups.flatMap(({ operations }) => operations).find(({ operationId }) => operationId === id);

export function accessOf({ security }: Operation): Access {
  const schemes = security.flatMap(Object.keys);
  if (schemes.includes('sdkKey')) return 'key';
  if (schemes.includes('token')) return 'token';
  return schemes.includes('session') ? 'session' : 'none';
}

/** Returns the schema that a reference names, or the schema itself. */
export function resolved({ schemas }: Reference, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined
    ? schema
    : { ...schemas[name], ...(schema.description && { description: schema.description }) };
}

/** Returns the objects inside of a schema whose fields are shown below it: its own, or those of its items or choices. */
export function objectsIn(reference: Reference, schema: Schema): Schema[] {
  const { properties, items, anyOf, oneOf, additionalProperties } = resolved(reference, schema);
  if (properties && Object.keys(properties).length > 0) return [resolved(reference, schema)];
  if (items) return objectsIn(reference, items);
  if (typeof additionalProperties === 'object') return objectsIn(reference, additionalProperties);
  return (anyOf ?? oneOf ?? []).flatMap((choice) => objectsIn(reference, choice));
}

/** A value that may be null has the limits of the other choice. */
export function withoutNull(schema: Schema): Schema {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null');
  return choices?.length === 1 ? { ...choices[0], default: schema.default } : schema;
}

export interface Entered {
  /** By the place and name of a parameter, like `path appId`. */
  values: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  /** The key or token. Empty: a place holder stands for it. */
  secret: string;
}

export const placeOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** Returns the request that the entered values make. Parameters that were left empty are left out, or named. */
export function requestOf({ url }: Reference, operation: Operation, { values, body, secret }: Entered) {
  const parameters = operation.parameters ?? [];
  const entered = (parameter: Parameter): string => values[placeOf(parameter)]?.trim() ?? '';
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[`path ${name}`]?.trim();
    return value ? encodeURIComponent(value) : `{${name}}`;
  });
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && (entered(parameter) !== '' || parameter.required))
      .map((parameter) => [parameter.name, entered(parameter) || `{${parameter.name}}`]),
  );
  const headers = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header' && entered(parameter) !== '')
      .map((parameter) => [parameter.name, entered(parameter)]),
  );
  const search = query.size === 0 ? '' : `?${query}`;
  return {
    method: operation.method,
    url: url + path + search,
    headers: {
      ...secretHeader(accessOf(operation), secret),
      ...headers,
      ...(operation.requestBody && { 'content-type': 'application/json' }),
    } as Record<string, string>,
    body: operation.requestBody ? body : null,
  };
}

function secretHeader(access: Access, secret: string): Record<string, string> {
  if (access === 'key') return { 'x-service-sdk-key': secret || 'YOUR_KEY' };
  return access === 'token' ? { authorization: `Bearer ${secret || 'YOUR_TOKEN'}` } : {};
}
