// Sends arbitrary requests to every route of the OpenAPI document and to the link host of an app. The answer must
// always be a documented one.
import { isReservedSegment } from '@landfall/gateway';
import { LINK_DOMAIN, send } from '@landfall/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { casesOf, post, systemOfFile } from '../calls.ts';
import * as agents from '../user-agents.ts';
import { type Operation, readDocument } from './document.ts';
import { follow, type Json } from './json-schema.ts';

const { system } = await systemOfFile();
const app = await system.makeApp({ android: { package: 'com.example.app' } });
const link = await system.makeLink(app);
const made = await system.manage(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
/** A server key of the same app. */
const serverKey = made.json.plaintext;
const shared = await system.manage(post(`/api/manage/apps/${app.app.id}/shares`, { name: 'Autumn', view: {} }));
const secretOfShare = new URL(shared.json.url).hash.slice(1);
const { document, operations } = await readDocument(system);

/**
 * Each run is one request. A failure is shown without shrinking, because shrinking would send hundreds of further
 * requests.
 */
const options = { numRuns: casesOf(25, 4), endOnFailure: true };
/**
 * The maximum number of rounds until a route has given two different answers. A route that accepts nearly any request
 * can answer all requests of one round alike.
 */
const MOST_ROUNDS = 60;
/** Node answers 431 to a longer request head, and no route documents that status. */
const MAX_PATH = 8_000;

/** Generates text that is unlikely in a valid request. */
const text = () =>
  fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udfff', '/', '\\', '%', '"', "'", '<', '\n', '🙂', 'a') }),
    fc.constantFrom('__proto__', 'constructor', 'toString', '../..', '//evil.example', 'null', '-1', '1e999'),
    fc.string({ minLength: 300, maxLength: 5_000 }),
  );

const anything = () =>
  fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.object({ key: text(), values: [text(), fc.double(), fc.constant(null), fc.boolean()], maxDepth: 3 }),
    text(),
  );

/** Generates values that mostly fit the schema. Most of their ids exist. */
function fitting(schema: Json): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(follow(document, schema.$ref));
  const kinds = schema.type === undefined && schema.anyOf ? (schema.anyOf as Json[]) : [schema];
  const fits = fc.oneof(...kinds.map(wellMade));
  return fc.oneof({ arbitrary: fits, weight: 12 }, { arbitrary: anything(), weight: 1 });
}

function wellMade(schema: Json): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const named = Object.fromEntries(
        Object.entries<Json>(schema.properties ?? {}).map(([name, one]) => [name, fitting(one)]),
      );
      return fc.oneof(
        { arbitrary: fc.record(named), weight: 4 },
        { arbitrary: fc.record(named, { requiredKeys: [] }), weight: 3 },
        {
          arbitrary: fc.tuple(fc.record(named), fc.dictionary(text(), anything())).map(([a, b]) => ({ ...a, ...b })),
          weight: 1,
        },
      );
    }
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
    case 'integer':
      return fc.oneof(fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 5_000 }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return stringLike(schema);
    default:
      return anything();
  }
}

function stringLike({ format, pattern, allOf, maxLength }: Json): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(app.app.id, link.id), fc.uuid());
  // No other request contains these values. A later test checks that no topic contains them.
  if (format === 'password') return fc.uuid().map((id) => (pattern?.includes('{43}') ? id.padEnd(43, 'x') : `p ${id}`));
  if (format === 'email') return fc.uuid().map((id) => `${id}@properties.example`);
  if (format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((d) => d.toISOString()),
      oddTime(),
    );
  if (format === 'uri') return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (allOf) return fc.webPath().map((path) => `/${path}`.replace('//', '/'));
  if (pattern && pattern.length < 90) return fc.stringMatching(new RegExp(pattern));
  if (maxLength !== undefined)
    return fc.oneof(
      text(),
      fc.constantFrom('x', 'é', '🙂').map((unit) => unit.repeat(maxLength / unit.length)),
    );
  return fc.oneof(fc.constantFrom(link.slug, `${app.app.subdomain}.${LINK_DOMAIN}`), text());
}

/** Times at the limits of calendars, of JavaScript and of PostgreSQL. */
const oddTime = () =>
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00Z',
    '2016-12-31T23:59:60Z',
    '2027-02-29T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:00Z',
    '2027-01-01T00:00:00.123456789+05:45',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-23:59',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  );

const asBody = fc.oneof(
  { arbitrary: fc.constant('application/json'), weight: 12 },
  {
    arbitrary: fc.constantFrom('', 'text/plain', 'application/json; charset=utf-16', 'application/json;', 'x'),
    weight: 1,
  },
);

/** Generates the bytes of a body. Most bodies are JSON. */
const bytesOf = (schema: Json) =>
  fc.oneof(
    { arbitrary: fitting(schema).map((value) => JSON.stringify(value)), weight: 12 },
    { arbitrary: text(), weight: 1 },
    { arbitrary: fc.uint8Array({ maxLength: 200 }), weight: 1 },
  );

const credentials = ({ id, path }: Operation, goodOnes: number) =>
  fc.oneof(
    {
      arbitrary: fc.constant({
        'x-service-sdk-key': id === 'createLinks' ? serverKey : app.key,
        authorization: path.startsWith('/api/share') ? `Share ${secretOfShare}` : `Bearer ${system.ownerToken}`,
      }),
      weight: goodOnes,
    },
    {
      arbitrary: fc.constantFrom({}, { authorization: 'Bearer x' }, { 'x-service-sdk-key': `ol_${'0'.repeat(32)}` }),
      weight: 1,
    },
  );

/** Generates header values from the characters that HTTP allows in a header. */
const headerValue = () =>
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((c) => c !== 0x7f)
      .map((c) => String.fromCharCode(c)),
  });

const escaped = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed());
/** A path segment must not be empty: the result would be another path. */
const segment = (value: unknown): string => escaped(value) || '_';

function requestTo(operation: Operation) {
  const { method, path, definition } = operation;
  const parameters: Json[] = definition.parameters ?? [];
  // Only the credentials of such a request can be wrong, so the test sends wrong credentials more often.
  const takesNothing = parameters.length === 0 && !definition.requestBody;
  const of = (place: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, fitting(one.schema)]));
  const withRare = (arbitrary: fc.Arbitrary<Record<string, unknown>>) =>
    fc.oneof({ arbitrary, weight: 8 }, { arbitrary: fc.dictionary(text(), text()), weight: 1 });
  return fc.record({
    method: fc.constant(method),
    path: fc
      .tuple(fc.record(of('path')), withRare(fc.record(of('query'), { requiredKeys: [] })))
      .map(([inPath, query]) => {
        const at = path.replace(/\{(\w+)\}/g, (_, name: string) => segment((inPath as Json)[name]));
        return `${at}?${Object.entries(query)
          .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
          .join('&')}`;
      }),
    body: definition.requestBody
      ? bytesOf(definition.requestBody.content['application/json'].schema)
      : fc.constant(undefined),
    headers: fc
      .record({
        credentials: credentials(operation, takesNothing ? 3 : 12),
        type: asBody,
        key: fc.option(headerValue()),
      })
      .map(({ credentials, type, key }) => ({
        ...credentials,
        ...(definition.requestBody && { 'content-type': type }),
        ...(key !== null && parameters.some((one) => one.in === 'header') && { 'idempotency-key': key }),
      })),
  });
}

describe('every route', () => {
  it('answers anything with what its document says', { timeout: 120_000 }, async () => {
    for (const operation of operations) {
      const seen = new Set<number>();
      const property = fc.asyncProperty(requestTo(operation), async (request) => {
        fc.pre(request.path.length < MAX_PATH);
        const answer = await system.send(request as never);
        seen.add(answer.status);
        expect(answer.status).toBeLessThan(500);
        operation.check(answer);
      });
      await fc.assert(property, options);
      // If the requests to a route can differ, they must not all be refused for the same reason.
      const { parameters, requestBody } = operation.definition;
      if (!parameters && !requestBody) continue;
      // Without the URL of a link of an app, these answer 400. explain.e2e.test.ts has such URLs.
      if (operation.path.startsWith('/api/manage/explain')) continue;
      for (let round = 1; seen.size === 1 && round < MOST_ROUNDS; round++) await fc.assert(property, options);
      expect(seen.size, `${operation.id} only ever answered ${[...seen]}`).toBeGreaterThan(1);
    }
    await system.settled();
    // Only requests from this machine see details.
    expect((await send(system.port, { path: '/readyz' })).json.checks.bus).toEqual({ ok: true });
  });
});

describe('a link host', () => {
  it('answers any request with a status of its table', async () => {
    // This test needs a separate app: the requests above may have edited the other app.
    const app = await system.makeApp({ android: { package: 'com.example.app' } });
    const link = await system.makeLink(app);
    const path = fc.oneof(
      fc.constant(`/${link.slug}`),
      fc
        .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)) })
        .map((rest) => `/${rest}`),
      text().map((rest) => `/${link.slug}?${escaped(rest)}`),
    );
    const request = fc.record({
      method: fc.oneof(
        { arbitrary: fc.constantFrom('GET', 'HEAD'), weight: 9 },
        { arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), weight: 1 },
      ),
      path,
      headers: fc.record({
        host: fc.oneof(
          {
            arbitrary: fc.constantFrom('', 'open-').map((before) => `${before}${app.app.subdomain}.${LINK_DOMAIN}`),
            weight: 9,
          },
          { arbitrary: fc.domain(), weight: 1 },
        ),
        'user-agent': fc.oneof(fc.constantFrom(...Object.values(agents).flat()), headerValue()),
        purpose: fc.constantFrom('', 'prefetch'),
      }),
    });
    const property = fc.asyncProperty(request, async (sent) => {
      const [first = ''] = sent.path.split(/[/?#]/).filter((segment) => segment !== '');
      fc.pre(!isReservedSegment(first) && sent.path.length < MAX_PATH);
      const answer = await system.send(sent);
      const expected = sent.headers.purpose === 'prefetch' ? [200, 302, 404, 405, 410, 503] : [200, 302, 404, 405, 410];
      expect(expected).toContain(answer.status);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-robots-tag']).toContain('noindex');
      if (answer.headers.location) expect(new URL(answer.headers.location).protocol).toBe('https:');
    });
    await fc.assert(property, { ...options, numRuns: casesOf(100) });
  });
});
