// `null` and `""` count as omitted, for every optional field of every route for apps. The test reads the table of routes,
// so it covers a route by itself. It fails for a route that it cannot call, and says what to add.
import { randomUUID } from 'node:crypto';
import type { SdkRoute } from '@landfall/gateway';
import type { Named } from '@landfall/http';
import { freshIp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestExamples } from '../../../services/console/src/openapi/examples.ts';
import { routeGroups } from '../../../services/console/src/routes/index.ts';
import { isManage } from '../../../services/console/src/routing/route.ts';
import { fcmToken, post, systemOfFile } from '../calls.ts';
import { readDocument } from './document.ts';
import type { Json } from './json-schema.ts';

type Values = Record<string, unknown>;

const routes = routeGroups
  .flatMap((group) => group.routes)
  .filter((route): route is Named<SdkRoute> => !isManage(route));

const { system } = await systemOfFile();
const app = await system.makeApp();
const link = await system.makeLink(app, '/a');
/** The values that an example of the document cannot have, because they exist in this system only. */
const own = { linkId: link.id, slug: link.slug, hostname: new URL(link.url).host, deviceToken: fcmToken() };
const { operations } = await readDocument(system);

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
const optionalIn = ({ properties = {}, required = [] }: Json): string[] =>
  Object.keys(properties).filter((name) => !required.includes(name));

/** Returns the values of the example that the schema has, and the fields without which a call has no meaning. */
function valuesFor(schema: Json, example: Values = {}): Values {
  const asked =
    'deviceFingerprint' in schema.properties ? { deviceFingerprint: 'a-device', userEmail: 'a@x.example' } : {};
  const all: Values = { ...example, ...asked, ...own, appId: app.app.id };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in schema.properties));
}

/** One field of a body, of a query, or of a row of a body. */
interface Field {
  route: Named<SdkRoute>;
  name: string;
  place: 'body' | 'query' | 'row';
}

const rowsOf = ({ properties = {} }: Json): [string, Json] | undefined =>
  Object.entries<Json>(properties).find(([, { items }]) => items?.type === 'object');

const fields = routes.flatMap((route): Field[] => {
  const body = route.body && jsonOf(route.body);
  const rows = body && rowsOf(body);
  const named = (place: Field['place'], schema: Json) => optionalIn(schema).map((name) => ({ route, name, place }));
  return [
    ...(body ? named('body', body) : []),
    ...(rows ? named('row', rows[1].items) : []),
    ...(route.query ? named('query', jsonOf(route.query)) : []),
  ];
});

async function call({ route, name, place }: Field, value: unknown): Promise<void> {
  const operation = operations.find(({ id }) => id === route.name)!;
  const from = { ip: place === 'query' && route.name === 'proveAddress' ? '2001:db8:9::1' : freshIp() };
  if (place === 'query') {
    const values = { ...valuesFor(jsonOf(route.query)), [name]: value } as Record<string, string>;
    const answer = await system.sdk(app, { ...from, path: `${route.path}?${new URLSearchParams(values)}` });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return;
  }
  const schema = jsonOf(route.body);
  const rows = rowsOf(schema);
  const example = requestExamples[route.name] as Values;
  const body =
    place === 'row' && rows
      ? // A new link has a new slug and a new key.
        {
          [rows[0]]: [
            {
              ...valuesFor(rows[1].items, (example[rows[0]] as Values[])[0]),
              slug: randomUUID(),
              idempotencyKey: randomUUID(),
              [name]: value,
            },
          ],
        }
      : { ...valuesFor(schema, example), [name]: value };
  expect(operation.takes(body), 'the document').toBe(true);
  const key = route.auth === 'server-key' ? await serverKey() : app.key;
  const answer = await system.sdk({ ...app, key }, { ...post(route.path, body), ...from });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  if (rows) expect(answer.text).not.toContain('"success":false');
}

async function serverKey(): Promise<string> {
  return (await system.manage(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }))).json.plaintext;
}

describe('an optional field', () => {
  it.each(fields.map((field) => [field.route.name, field.place, field.name, field] as const))(
    '%s: %s %s',
    async (_route, place, _name, field) => {
      await call(field, '');
      if (place !== 'query') await call(field, null);
    },
  );

  it('counts as omitted: the handler gets the same', () => {
    // Every value of `appId` in a body is ignored.
    const parsed = fields.filter(({ name, place }) => place === 'query' || (place === 'body' && name !== 'appId'));
    for (const { route, name, place } of parsed) {
      const schema: z.ZodType = place === 'body' ? route.body : route.query;
      const values = valuesFor(jsonOf(schema), place === 'body' ? (requestExamples[route.name] as Values) : {});
      const { [name]: _, ...without } = values;
      expect(schema.parse({ ...values, [name]: '' }), `${route.name} ${name}`).toEqual(schema.parse(without));
    }
  });
});

it('keeps null and "" inside metadata, and refuses them for required fields', async () => {
  const metadata = { a: null, b: '' };
  const created = await system.sdk(app, post('/api/links/create-sdk', { destination: '/a', metadata }));
  expect(created.json.link.metadata).toMatchObject(metadata);
  for (const destination of [null, '']) {
    const refused = await system.sdk(app, post('/api/links/create-sdk', { destination }));
    expect(refused.json.details[0].path).toBe('destination');
  }
});
