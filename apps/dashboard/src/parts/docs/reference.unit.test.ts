import { describe, expect, it } from 'vitest';
import { accessOf, objectsIn, operationOf, readDocument, requestOf, type Schema } from './reference.ts';
import { titleOf } from './title.ts';

const uuid: Schema = { type: 'string', format: 'uuid' };
const link: Schema = { type: 'object', properties: { id: uuid } };
const parameters = [
  { name: 'appId', in: 'path' as const, required: true, schema: uuid },
  { name: 'search', in: 'query' as const, schema: { type: 'string' } },
  { name: 'month', in: 'query' as const, required: true, schema: { type: 'string' } },
  { name: 'If-Match', in: 'header' as const, schema: { type: 'string' } },
];
const common = { tags: ['links'] as [string], responses: {}, summary: 'x' };
const reference = readDocument({
  info: { version: '1', description: 'x' },
  servers: [{ url: 'http://localhost:8080' }],
  tags: [{ name: 'links', description: 'x' }],
  paths: {
    '/api/links': {
      post: {
        ...common,
        operationId: 'create',
        security: [{ sdkKey: [] }, { sdkKeyBearer: [] }],
        requestBody: { content: { 'application/json': { schema: link } } },
      },
    },
    '/api/manage/apps/{appId}': {
      get: { ...common, operationId: 'get', security: [{ session: [] }, { token: [] }], parameters },
    },
  },
  components: { schemas: { Link: link } },
});
const create = operationOf(reference, 'create')!;
const get = operationOf(reference, 'get')!;
const nothing = { values: {}, body: '', secret: '' };

describe('an operation', () => {
  it('has its method, its path and its group', () => {
    expect(reference.groups.map(({ tag, operations }) => [tag, operations.length])).toEqual([['links', 2]]);
    expect(get).toMatchObject({ method: 'GET', path: '/api/manage/apps/{appId}' });
    expect(operationOf(reference, 'other')).toBeUndefined();
  });

  it('names what it needs', () => {
    expect([create, get].map(accessOf)).toEqual(['key', 'token']);
    expect(accessOf({ ...get, security: [{ session: [] }] })).toBe('session');
    expect(accessOf({ ...get, security: [] })).toBe('none');
  });
});

describe('a request', () => {
  it('without values holds place holders for what it needs, and nothing else', () => {
    expect(requestOf(reference, get, nothing)).toEqual({
      method: 'GET',
      url: 'http://localhost:8080/api/manage/apps/{appId}?month=%7Bmonth%7D',
      headers: { authorization: 'Bearer YOUR_TOKEN' },
      body: null,
    });
  });

  it('holds the entered values, escaped, and the key or token', () => {
    const values = { 'path appId': 'a/b', 'query search': 'x&y', 'query month': '2026-11', 'header If-Match': '"1"' };
    expect(requestOf(reference, get, { values, body: '', secret: 'lf_1' })).toMatchObject({
      url: 'http://localhost:8080/api/manage/apps/a%2Fb?search=x%26y&month=2026-11',
      headers: { authorization: 'Bearer lf_1', 'If-Match': '"1"' },
    });
    expect(requestOf(reference, create, { ...nothing, body: '{}', secret: 'ol_1' })).toMatchObject({
      headers: { 'x-service-sdk-key': 'ol_1', 'content-type': 'application/json' },
      body: '{}',
    });
  });
});

it('shows the fields of objects in lists, maps, choices and behind references', () => {
  const reply = { $ref: '#/components/schemas/Link' };
  for (const schema of [
    reply,
    { type: 'array', items: reply },
    { anyOf: [reply, { type: 'null' }] },
    { type: 'object', additionalProperties: reply },
  ])
    expect(objectsIn(reference, schema)).toMatchObject([{ properties: { id: uuid } }]);
  expect(objectsIn(reference, uuid)).toEqual([]);
});

it.each([
  ['List your teams. Owners get all', 'List your teams', 'Owners get all.'],
  [
    'Count the links, taps and installs of each value of a label, e.g. of each inviter',
    'Count the links, taps and installs of each value of a label, e.g. of each inviter',
    '',
  ],
  [
    'Revoke an owner token, even the one of this request: it stops working at once',
    'Revoke an owner token, even the one of this request',
    'It stops working at once.',
  ],
  ['Sign out; the session ends', 'Sign out; the session ends', ''],
])('%j has a short title', (summary, title, more) => expect(titleOf(summary)).toEqual({ title, more }));
